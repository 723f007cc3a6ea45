import PluginAPI
import PluginTesting
import PluginText
import Testing

@testable import WSABI

/// Every screen but the card, in terminals from very small to large, with names that are hard to draw.
@MainActor @Suite struct ScreenSizesTests {
  let plugin: ScreensPlugin
  let test: TestPlugin
  let item: BiometricItem

  /// Sizes of the screen within the terminal, whose title, rule and status line do not belong to the screen.
  nonisolated static let sizes = [(60, 20), (80, 24), (100, 30), (160, 50), (40, 12)].map {
    Size(width: $0, height: $1)
  }

  /// Wide characters, right-to-left, combining and joined ones, and such as move a terminal's cursor.
  private static let names = [
    "王小明 田中さくら", "עברית العربية", "Zo\u{65}\u{308} a\u{300}\u{301}\u{302}\u{303}", "👩‍👩‍👧‍👦 Family",
    "Es\u{1B}[31mcape \u{7}\r\n\t", "\u{202E}reversed \u{200B}zero",
    String(repeating: "Wolfeschlegelsteinhausen", count: 20),
  ]

  init() async throws {
    plugin = try await ScreensPlugin.opened()
    test = try await TestPlugin(plugin)
    item = try await plugin.add("Ada Lovelace", ["RightMiddleRolled", "LeftIris", "Face2d", "LeftSlap"])[0]
    var full = StoreSamples.full("Zoë 王小明 ")
    full.datesOfBirth = ["1815-12-10"]
    full.notes = Self.names.joined(separator: " ")
    _ = try await plugin.records.edit(person: 1, full, at: StoreFolder.time)
    for name in Self.names {
      var biography = Biography()
      biography.firstName = name
      _ = try await plugin.records.addPerson(biography, at: StoreFolder.time)
    }
  }

  private func screens(_ terminal: Size) async throws -> [(name: String, screen: ScreenDriver)] {
    let page = Size(width: terminal.width, height: terminal.height - 3)
    // As the host makes it: three quarters of the area inside the edges.
    let popover = Size(width: (terminal.width - 4) * 3 / 4, height: (terminal.height - 4) * 3 / 4)
    let all: [(String, Record, Size)] = [
      ("people", [:], page), ("walkthrough", ["person": 1], page), ("biography", ["person": 1], page),
      ("settings", [:], page), ("log", [:], page), ("date", ["person": 1], popover),
      ("lightbox", ["item": .integer(item.id)], page), ("unlock", [:], page), ("notes", ["person": 1], page),
    ]
    var screens: [(name: String, screen: ScreenDriver)] = []
    for (name, arguments, size) in all {
      screens.append((name, try await test.screen(name, arguments, size: size)))
    }
    return screens
  }

  /// Checks that no cell holds a character that would move the cursor, and that every wide character has both of its
  /// cells.
  private func check(_ frame: TextFrame, _ what: String) {
    let text = frame.plainText
    #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || SanitizedText.isSafe($0) }, "\(what)")
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      #expect(TextWidth.columns(line) <= frame.frameSize.width, "\(what): \(line)")
    }
  }

  @Test(arguments: sizes) func `every screen draws within its area`(_ size: Size) async throws {
    for (name, screen) in try await screens(size) {
      check(screen.frame, "\(name) at \(size.width)×\(size.height)")
      for _ in 0..<3 {
        await screen.press("down", "end", "right")
        check(screen.frame, "\(name) at \(size.width)×\(size.height)")
      }
    }
  }

  @Test func `screens draw in any size, however small`() async throws {
    for (width, height) in [(0, 0), (1, 1), (2, 5), (7, 2), (20, 3), (200, 4), (3, 60)] {
      for (_, screen) in try await screens(Size(width: 80, height: 24)) {
        await screen.resize(width, height)
        await screen.press("down", "right")
        #expect(screen.frame.frameSize == Size(width: width, height: height))
      }
    }
  }

  @Test(arguments: sizes) func `the walkthrough shows its question and actions in every size`(
    _ size: Size
  ) async throws {
    let screen = try await test.screen(
      "walkthrough", ["person": 1], size: Size(width: size.width, height: size.height - 3))
    for question in ["What is captured?", "How is it captured?", "With which sensor?", "Where is the sensor?"] {
      #expect(screen.text.contains(question), "\(screen.text)")
      if question.hasPrefix("With") { await screen.press("end") }
      await screen.press("enter")
    }
    await screen.type("nobody.example")
    await screen.advance(by: 4)
    #expect(screen.text.contains("No sensor found at this address."))
    #expect(screen.text.contains("nobody.example") && screen.text.contains("Name"))
    #expect(screen.text.contains("enter keeps it anyway"))
  }

  @Test(arguments: sizes) func `the list shows how many items are out of sight`(_ size: Size) async throws {
    for number in 0..<60 {
      let draft = StoreSamples.draft(1, number % 2 == 0 ? "LeftIris" : "Face2d")
      _ = try await plugin.records.addItem(draft, at: StoreFolder.time)
    }
    let screen = try await test.screen("people", size: Size(width: size.width, height: size.height - 3))
    #expect(screen.text.contains(" of 64"), "\(screen.text)")
    for _ in 0..<64 { await screen.press("right") }
    #expect(screen.text.contains("64 of 64"), "\(screen.text)")
  }

  @Test func `the longest finger titles fit in a cell`() async throws {
    let screen = try await test.screen("people", size: Size(width: 60, height: 17))
    #expect(screen.text.contains("Right Middle (Rolled)"))
  }
}
