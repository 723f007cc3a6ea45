import Foundation
import PluginAPI
import Synchronization
import Testing

@testable import Host

@MainActor struct PlainRunTests {
  /// Returns the output after these input lines.
  private func said(
    _ lines: [String], plugin: String? = "tides", screen: String? = nil, documents: [String] = [],
    secrets: [String] = [], before: ((TidesPlugin) -> Void)? = nil
  ) async throws -> (text: String, notes: String, status: Int32) {
    var options = GlobalOptions()
    options.home = NSTemporaryDirectory() + "workbench-plain-" + UUID().uuidString
    let session = try HostSession(options: options, environment: [:], searchPath: PluginSearchPath(folders: []))
    let tides = TidesPlugin()
    try session.plugins.adopt(tides)
    before?(tides)
    let waiting = Mutex(lines)
    let hidden = Mutex(secrets)
    var (output, notes): ([String], [String]) = ([], [])
    let status = await PlainRun.run(
      session: session, ScreenLaunch(plugin: plugin, screen: screen, documents: documents),
      readLine: { waiting.withLock { $0.isEmpty ? nil : $0.removeFirst() } },
      readSecret: { hidden.withLock { $0.isEmpty ? nil : $0.removeFirst() } }, print: { output.append($0) },
      note: { notes.append($0) })
    #expect(!(output + notes).contains { $0.contains(where: \.isNewline) }, "each line is written as one")
    if let home = options.home { try? FileManager.default.removeItem(atPath: home) }
    return (output.joined(separator: "\n"), notes.joined(separator: "\n"), status)
  }

  @Test func `a screen is printed with numbered items and ends with the input`() async throws {
    let (text, _, status) = try await said([])
    #expect(status == 0)
    #expect(
      text == """

        Tides > Ports
        1. Helgoland  North Sea
        2. Cuxhaven  mouth of the Elbe
        3. Bristol  Severn estuary
        status: datum mean
        selected: Helgoland North Sea
        1-3 choose, ? help, : run a command, q quit:
        """)
  }

  @Test func `the lines of a text are printed one by one`() async throws {
    let text = try await said([], screen: "port", documents: ["cux\nhaven"]).text
    #expect(text.contains("Code: cux\nhaven\nRange: 2.4 m"))
  }

  @Test func `a number chooses, b goes back, q quits`() async throws {
    let (text, _, status) = try await said(["2", "b", "q", "1"])
    #expect(status == 0)
    #expect(
      text == """

        Tides > Ports
        1. Helgoland  North Sea
        2. Cuxhaven  mouth of the Elbe
        3. Bristol  Severn estuary
        status: datum mean
        selected: Helgoland North Sea
        1-3 choose, ? help, : run a command, q quit:

        Tides > Ports > Port cux
        Code: cux
        Range: 2.4 m
        selected: Code cux
        b back, ? help, : run a command, q quit:

        Tides > Ports
        1. Helgoland  North Sea
        2. Cuxhaven  mouth of the Elbe
        3. Bristol  Severn estuary
        status: back from port with nothing
        selected: Helgoland North Sea
        1-3 choose, ? help, : run a command, q quit:
        """)
  }

  @Test func `help numbers the actions, and a number runs one`() async throws {
    let text = try await said(["?", "a6", "a2", "3"]).text
    #expect(text.contains("a6 Turn right") && text.contains("status: turned 1"))
    #expect(text.contains("2. Mean level  of ten years (current)") && text.contains("status: datum lowest"))
    #expect(text.contains(":height - give the height at a time"))
  }

  @Test func `a search prints matching items under their numbers`() async throws {
    let text = try await said(["/ELBE", "2"]).text
    #expect(text.contains("1 of 3 items have 'elbe'; / shows all\n2. Cuxhaven  mouth of the Elbe\nstatus:"))
    #expect(text.contains("Tides > Ports > Port cux"))
    let all = try await said(["/nothing", "/"]).text
    #expect(all.contains("0 of 3 items have 'nothing'; / shows all\nstatus:"))
    #expect(all.contains("q quit:\n\nTides > Ports\n1. Helgoland"))
  }

  @Test func `keys move the selection, which the text names, and actions apply to it`() async throws {
    let text = try await said([".down", ".down up nonsense", ".end enter"]).text
    #expect(text.contains("status: datum mean\nselected: Cuxhaven mouth of the Elbe\n"))
    #expect(text.contains("'nonsense' is not a key; write keys as .down, .enter"))
    // Nothing is pressed if one of the words is not a key.
    #expect(text.components(separatedBy: "selected: Helgoland").count == 2)
    #expect(text.contains("Tides > Ports > Port bri"))
  }

  @Test func `text is typed into a screen that takes it`() async throws {
    let text = try await said(["./", "=elb", ".enter"]).text
    #expect(text.contains("1-3 choose, =TEXT type, ? help"))
    #expect(text.contains("1. Cuxhaven  mouth of the Elbe\nstatus: datum mean\nselected: Cuxhaven mouth of the Elbe"))
    #expect(text.contains("Tides > Ports > Port cux"))
  }

  @Test func `the palette is searched by text and chosen from by number`() async throws {
    let text = try await said([":", "/turn right", "6"]).text
    #expect(text.contains("/TEXT search") && text.contains("items have 'turn right'; / shows all\n6. Turn right"))
    #expect(text.contains("status: turned 1"))
  }

  @Test func `only a secret is read without echo`() async throws {
    let letters = "\nm\no\no\nn\n"
    let text = try await said([":ask"], secrets: ["moon", "not asked for"]).text
    #expect(text.contains(letters), "the command prints the letters it got: \(text)")
    #expect(try await !said([":ask", "moon"], secrets: []).text.contains(letters))
  }

  @Test func `a prompt takes the next line whole, and an empty line dismisses it`() async throws {
    let text = try await said(["a3", "b", "a3", ""]).text
    #expect(text.contains("status: named b") && !text.contains("status: named\n"))
  }

  @Test func `a command runs by name and requests its arguments`() async throws {
    let text = try await said([":height cuxhaven", "25", "7", "b", ":tides list", ":lst", ":height x"]).text
    #expect(text.contains("'25' is not a whole number from 0 to 23 (h) for 'hour'"))
    #expect(text.contains("2. hour: 7") && text.contains("3. height: 1.5 m"))
    #expect(text.contains("- port Helgoland, height 2.4"))
    #expect(text.contains("there is no command 'lst'; did you mean 'list'?"))
    #expect(text.contains("error: 'x' is not one of helgoland, cuxhaven for 'port'"))
  }

  @Test func `the start and end of work are announced separately from screens`() async throws {
    let run = try await said(["a4"], before: { $0.gate.open() })
    #expect(run.notes.hasSuffix("computing the year ...\ncomputing the year: done"))
    #expect(run.text.contains("status: finished 365") && !run.text.contains("computing the year"))
  }

  @Test func `an invalid answer is rejected, and an error is printed with its code`() async throws {
    let text = try await said(["77", "zz", "a7"]).text
    #expect(text.contains("'77' is not a choice here; type ? for help") && text.contains("'zz' is not a choice"))
    #expect(text.contains("the gauge of 'broken' is missing") && text.contains("code    tides.no-gauge"))
  }

  @Test func `output contains no escape sequences and no box drawing`() async throws {
    let text = try await said(["?", "1", "b", ":", "b", "a2"], plugin: nil).text
    #expect(!text.contains("\u{1B}") && !text.contains("─") && !text.contains("│"))
    #expect(text.contains("Workbench"))
  }
}
