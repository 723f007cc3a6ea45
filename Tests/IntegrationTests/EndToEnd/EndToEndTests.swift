import Foundation
import TestSupport
import Testing

/// Typical uses of the program in a real terminal.
@Suite(.enabled(if: TmuxSession.isAvailable, "tmux is not installed"), .serialized)
struct EndToEndTests {
  private static let fullerene = "BUCKMINSTERFULLERENE, C60"

  /// Returns a session that shows the third starter, at rest.
  private static func viewer(columns: Int = 80, rows: Int = 24) throws -> (ScreenSession, String) {
    let session = try ScreenSession("run molecules 3", columns: columns, rows: rows)
    try session.shows("Ball and stick · 60 atoms")
    return (session, try session.settled())
  }

  @Test func `keys rotate, zoom and move a molecule, and quitting restores the terminal`() throws {
    let (session, first) = try Self.viewer()
    #expect(first.contains("▀") && first.contains("Molecules › " + Self.fullerene) && first.contains("? help"))
    #expect(try session.tmux.value("#{alternate_on}") == "1")
    for (key, what) in [("Left", "turning"), ("+", "zooming"), ("S-Up", "shifting"), (">", "rolling")] {
      let before = try session.tmux.screen
      try session.changes(from: before, what) { try session.tmux.press(key) }
    }
    try session.changes(from: try session.tmux.screen, "reset") { try session.tmux.press("r") }
    #expect(try session.settled() == first)
    try session.tmux.press("q")
    try session.expectSaneEnd(status: 0)
  }

  @Test func `the mouse rotates, zooms and moves a molecule`() throws {
    let (session, first) = try Self.viewer()
    let turned = try session.changes(from: first, "drag") { try session.drag(button: 0, from: (30, 10), to: (44, 12)) }
    let zoomed = try session.changes(from: turned, "wheel") { try session.tmux.send("\u{1B}[<64;40;12M") }
    try session.changes(from: zoomed, "pan") { try session.drag(button: 2, from: (30, 10), to: (40, 13)) }
  }

  @Test func `the drawing mode is switched by sheet, number and double click`() throws {
    let (session, first) = try Self.viewer()
    let sheet = try session.press("m", shows: "Draw as")
    #expect(sheet.contains("▌ 1 Ball and stick"))
    try session.press("Down", "Enter", shows: "Spacefilling · 60 atoms")
    #expect(try session.settled() != first)
    try session.press("3", shows: "Cylinders · 60 atoms")
    try session.click(column: 40, row: 12, times: 2)
    #expect(try session.shows("Draw as").contains("▌ 3 Cylinders"))
    try session.press("1", shows: "Ball and stick · 60 atoms")
    #expect(try session.settled() == first)
  }

  @Test func `a key and a corner click open the library, and a choice there is shown`() throws {
    let (session, _) = try Self.viewer()
    try session.press("i", shows: "7 molecules")
    // The list turns to the front first.
    let list = try session.settled()
    #expect(list.contains("▌ " + Self.fullerene) && list.contains("  Download new molecule"))
    try session.press("Down", "Enter", shows: "Ball and stick · 24 atoms")
    #expect(try session.tmux.screen.contains("Molecules › CAFFEINE"))
    try session.click(column: 73, row: 22)
    try session.shows("7 molecules")
    #expect(try session.settled().contains("▌ CAFFEINE"))
    try session.press("x", shows: "1 Keep it")
    try session.press("1", shows: "7 molecules")
    try session.press("Escape", shows: "Ball and stick · 24 atoms")
  }

  @Test func `keys typed ahead reach their intended screen`() throws {
    let session = try ScreenSession("run molecules 3", columns: 80, rows: 24)
    try session.shows("60 atoms")
    // The library is opened, a molecule chosen, and the last one turned, in one burst of keys.
    try session.tmux.send("i\u{1B}[F\r3")
    try session.shows("Cylinders · 264 atoms")
    #expect(try session.tmux.screen.contains("Molecules › CARBON NANOTUBE"))
  }

  @Test func `the palette finds commands by synonyms of the field`() throws {
    let (session, _) = try Self.viewer()
    let entries = [
      ("rmsd", "molecules superpose"), ("sasa", "molecules surface-area"), ("align", "molecules superpose"),
      ("hide", "Structures shown together"), ("png", "molecules render"), ("distance", "molecules measure distance"),
      ("download", "molecules fetch"),
    ]
    for (words, title) in entries {
      try session.press(":", shows: "Type to search")
      try session.tmux.type(words)
      try session.shows("▌ " + title)
      try session.press("Escape", shows: "? help")
    }
  }

  @Test func `details are read by line and in full, and escape returns to the picture`() throws {
    let (session, first) = try Self.viewer()
    #expect(try session.press("d", shows: "Number of bonds").contains("Current structure     1 of 1"))
    #expect(
      try session.press("Down", "Down", "Down", "Enter", shows: "› Description: Keywords")
        .contains("FULLERENE, CARBON, C60"))
    // Two at once are two all the same.
    try session.press("Escape", "Escape", shows: "Ball and stick")
    #expect(try session.settled() == first)
  }

  @Test func `the palette finds a command, requests its arguments and shows its result`() throws {
    let (session, _) = try Self.viewer()
    try session.press("C-p", shows: "Type to search")
    try session.tmux.type("mol bonds")
    try session.shows("▌ molecules bonds")
    try session.press("Enter", shows: "bonds: molecule")
    try session.tmux.type("caffeine")
    try session.press("Enter", shows: "Source")
    #expect(try session.tmux.screen.contains(Self.fullerene + " › bonds"))
    try session.press("Escape", shows: "60 atoms")
    try session.press(":", shows: "Type to search")
    try session.tmux.type("zzz")
    try session.shows("No matches for 'zzz'")
    try session.press("C-c", shows: "? help")
  }

  @Test func `help lists the screen's keys`() throws {
    let (session, first) = try Self.viewer()
    let help = try session.press("?", shows: "╭─ Help")
    #expect(help.contains(/← h +Turn left/) && help.contains("│ Molecule "))
    try session.press("End", shows: "click, double")
    try session.press("Escape", shows: "? help")
    #expect(try session.settled() == first)
  }

  @Test func `the terminal may have any size, even with an open sheet`() throws {
    let (session, first) = try Self.viewer()
    try session.press("m", shows: "Draw as")
    for (columns, rows, sign) in [(40, 12, "Draw as"), (1, 1, "▌"), (200, 60, "Draw as")] {
      try session.tmux.resize(columns: columns, rows: rows)
      try session.shows(sign)
    }
    try session.press("Escape", shows: "<> roll")
    try session.tmux.resize(columns: 40, rows: 12)
    try session.shows("60 atoms")
    #expect(try session.settled().split(separator: "\n").count == 12)
    try session.tmux.resize(columns: 80, rows: 24)
    try session.tmux.wait(for: "first picture") { $0 == first }
    try session.tmux.press("q")
    try session.expectSaneEnd(status: 0)
  }

  @Test func `the program resumes in the same state after suspension`() throws {
    let home = try TemporaryFolder()
    let session = try TmuxSession(
      "PS1='ready> ' exec bash --norc --noprofile -i",
      environment: ["WORKBENCH_HOME": home.path.path, "NO_COLOR": "", "LANG": "C.UTF-8"])
    try session.wait(for: "ready>")
    try session.type("'\(BuiltProgram.workbench.path)' run molecules 3\n")
    try session.wait(for: "Ball and stick · 60 atoms")
    try session.press("i")
    try session.wait(for: "7 molecules")
    try session.press("C-z")
    try session.wait(for: "Stopped")
    #expect(try session.value("#{alternate_on} #{cursor_flag} #{mouse_any_flag}") == "0 1 0")
    try session.type("fg\n")
    try session.wait(for: "7 molecules")
    try session.press("Escape")
    try session.wait(for: "Ball and stick")
    try session.press("q")
    try session.wait(for: "main screen") { _ in try session.value("#{alternate_on}") == "0" }
  }

  @Test func `the home screen opens a plugin, and escape returns`() throws {
    let session = try ScreenSession("")
    let home = try session.shows("Find a command")
    #expect(home.contains("▌ Molecules") && home.contains("enter open"))
    try session.press("Enter", shows: "486 atoms")
    // While the picture is drawn Escape would cancel that.
    #expect(try session.settled().contains("Workbench › Molecules › B-DNA"))
    try session.press("Escape", shows: "Find a command")
    try session.press("q", shows: "done")
    try session.expectSaneEnd(status: 0)
  }

  @Test func `a new user is offered the tour once and can take or skip it`() throws {
    let session = try ScreenSession("", isNewUser: true)
    #expect(try session.shows("Find a command").contains("▌ Take the tour"))
    try session.press("Enter", shows: "1 of 5")
    try session.press("Enter", shows: "2 of 5")
    try session.tmux.press("Escape")
    try session.tmux.wait(for: "the home screen alone") { !$0.contains(" of 5") }
    try session.press("q", shows: "done")
    try session.expectSaneEnd(status: 0)
    let next = try ScreenSession("", home: session.home, isNewUser: true)
    #expect(try !next.shows("Find a command").contains("New here?"))
  }
}
