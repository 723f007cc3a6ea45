import Foundation
import TestSupport
import Testing

/// Every screen and every help text on a dumb terminal: lines with numbered choices, and states in words.
@Suite(.timeLimit(.minutes(10)))
struct LinearScreensTests {
  /// A step of a person who uses screens.
  private enum Step {
    /// Chooses an item by its number.
    case item(String)
    /// Runs an action by its number.
    case action(String)
    /// Sends a line: an answer, a command, keys, or a text to type.
    case line(String)
    /// Expects a screen: its name, the last part of its path, and a text on it.
    case screen(String, String, shows: String = "")
    /// Expects a text on the screen.
    case shows(String)
    /// Presses keys and expects the screen to say another selection.
    case selects(String)
    /// Goes back and expects the screen below.
    case back
  }

  private let folder: TemporaryFolder
  private var home: URL { folder.url("home") }

  init() throws { folder = try TemporaryFolder() }

  private func run(_ words: [String], input: String = "", key: URL? = nil) throws -> String {
    var environment = ["WORKBENCH_HOME": home.path, "TERM": "dumb"]
    if let key { environment["WORKBENCH_WSABI_KEY_FILE"] = key.path }
    let outcome = try CommandLineProcess(words, environment: environment).finish(input: input)
    try #require(outcome.status == 0, "\(words): \(outcome.errors)")
    return outcome.output
  }

  private func object(_ words: String...) throws -> Any {
    try JSONSerialization.jsonObject(with: Data(try run(words + ["--json"]).utf8))
  }

  // MARK: Screens

  /// Follows steps from the first screen to the end.
  ///
  /// - Returns: The names of the screens.
  private func follow(_ steps: [Step], from words: [String]) throws -> Set<String> {
    let session = try LinearSession(words, home: home)
    var shown = LinearSession.Shown()
    /// The paths of the screens below.
    var below: [String] = []
    var (path, screens): (String, Set<String>) = ("", [])
    for (index, step) in steps.enumerated() {
      var changes = true
      switch step {
      case .item(let text):
        path = shown.path
        try session.choose(text, on: shown)
      case .action(let title):
        path = shown.path
        try session.perform(title, on: shown)
      case .line(let line):
        session.send(line)
      case .screen(let name, let title, let text):
        if index == 0 { shown = try session.show() }
        check(shown, name, title, text)
        below.append(path)
        screens.insert(name)
        changes = false
      case .shows(let text):
        #expect(shown.text.contains(text), "\(shown.path): \(shown.text)")
        changes = false
      case .selects(let keys):
        let before = shown.selected
        session.send(keys)
        shown = try session.show()
        #expect(shown.selected != nil && shown.selected != before, "\(shown.path): \(shown.text)")
        changes = false
      case .back:
        session.send("b")
        shown = try session.show()
        #expect(shown.path == below.popLast())
        path = shown.path
        changes = false
      }
      // A question takes the next line as its answer.
      let isAsked = if index + 1 < steps.count, case .line = steps[index + 1] { true } else { false }
      if changes, !isAsked { shown = try session.show() }
    }
    let outcome = try session.quit()
    #expect(outcome.status == 0, "\(outcome.errors)")
    Self.expectWords(outcome.output + outcome.errors)
    return screens
  }

  private func check(_ shown: LinearSession.Shown, _ name: String, _ title: String, _ text: String) {
    let last = shown.path.components(separatedBy: " > ").last ?? ""
    #expect(last.contains(title), "\(name): \(shown.path)")
    #expect(text.isEmpty || shown.text.contains(text), "\(name): \(shown.text)")
    // Screens on which nothing can be chosen or done have a text to read.
    let hasMenu = !shown.items.isEmpty || !shown.actions.isEmpty
    #expect(hasMenu || shown.lines.contains { !$0.isEmpty }, "\(name) is empty")
    let numbers = shown.items.compactMap { Int($0.prefix { $0 != "." }) }
    #expect(numbers == Array(1..<(numbers.count + 1)), "\(name): \(shown.items)")
  }

  /// Expects text without control characters, lines, blocks and arrows.
  private static func expectWords(_ text: String) {
    let others = text.unicodeScalars.filter { scalar in
      switch scalar.value {
      case 0x2190...0x21FF, 0x2500...0x259F, 0x2800...0x28FF: true
      default: scalar.properties.generalCategory == .control && scalar != "\n"
      }
    }
    #expect(others.isEmpty, "\(Set(others.map(\.value)))")
  }

  /// Follows the steps for a plugin, and expects them to show all its screens.
  private func expectAllScreens(of plugin: String, documents: [String] = [], _ steps: [Step]) throws {
    let info = try object("plugin", "info", plugin) as? [String: Any]
    let names = Set(try #require(info?["screens"] as? [String]))
    let reached = try follow(steps, from: ["run", plugin] + documents).filter { !$0.hasPrefix("host.") }
    #expect(reached == names, "the steps do not show \(names.symmetricDifference(reached))")
  }

  @Test func `all bundled plugins with screens are covered here`() throws {
    let plugins = try object("plugin", "list") as? [[String: Any]]
    let ids = try #require(plugins).compactMap { $0["id"] as? String }.filter { id in
      let info = try? object("plugin", "info", id) as? [String: Any]
      return (info?["screens"] as? [String])?.isEmpty == false
    }
    #expect(Set(ids) == ["molecules", "openbis", "pathcase", "wsabi"])
  }

  @Test func `every screen of Molecules is used in lines`() throws {
    let service = try FixtureServer { request in
      switch request.path {
      case "/search":
        .text(#"{"total_count":1,"result_set":[{"identifier":"1CRN","score":1}]}"#, type: "application/json")
      case "/data":
        .text(
          #"{"data":{"entries":[{"rcsb_id":"1CRN","struct":{"title":"CRAMBIN"}}]}}"#, type: "application/json")
      default: .text("<html><body><h1>Crambin</h1><p>From a plant.</p></body></html>", type: "text/html")
      }
    }
    defer { service.stop() }
    for name in ["search", "data", "files", "pages"] {
      _ = try run(["config", "set", "molecules.rcsb-\(name)-url", service.address + "/" + name])
    }
    try expectAllScreens(
      of: "molecules", documents: ["3"],
      [
        .screen("viewer", "BUCKMINSTERFULLERENE, C60", shows: "status: Ball and stick"),
        .action("Choose the drawing mode"), .screen("host.choice", "Draw as", shows: "(current)"), .back,
        .action("Library of molecules"), .screen("library", "Library"), .selects(".down"),
        .item("Download new molecule"), .screen("search", "Download new molecule"),
        .item("Words to search for"), .line("crambin"), .item("CRAMBIN"), .screen("download", "1CRN"),
        .item("Read more"), .screen("page", "CRAMBIN", shows: "From a plant."), .back, .back, .back, .back,
        .action("Show details"), .screen("detail", "Details"),
        .item("Title"), .screen("text", "Title", shows: "\nBUCKMINSTERFULLERENE, C60\n"), .back, .back,
        .line(":info none"), .screen("host.error", "info", shows: "\nerror: no molecule or file 'none' found\n"),
      ])
  }

  @Test func `every screen of PathCase is used in lines`() throws {
    try expectAllScreens(
      of: "pathcase",
      [
        .screen("home", "Pathways"), .selects(".down"),
        .item("Glycolysis"), .screen("pathway", "Glycolysis"), .selects(".n"),
        .action("Choose another pathway"), .screen("pathways", "Pathways"), .back,
        .item("pool: D-Glucose"), .screen("node", "D-Glucose"),
        .item("Name: D-Glucose"), .screen("text", "D-Glucose", shows: "\nName: D-Glucose\n"), .back, .back, .back,
        .line(":info none"), .screen("host.error", "info", shows: "\nerror: there is no pathway or file 'none'\n"),
      ])
  }

  /// Starts a simulated service, and returns its address.
  private func simulator(_ words: String...) throws -> (process: CommandLineProcess, address: String) {
    let process = try CommandLineProcess(words)
    let address = String(process.readSome().prefix { !$0.isWhitespace })
    try #require(address.hasPrefix("http://"))
    return (process, address)
  }

  @Test func `every screen of OpenBIS is used in lines`() throws {
    let lab = try simulator("openbis", "simulate")
    defer {
      lab.process.send(SIGTERM)
      _ = lab.process.wait()
    }
    // Only objects of V3 have data sets with files.
    let login = ["openbis", "login", lab.address, "--user", "alice", "--password-stdin", "--native"]
    _ = try run(login, input: "wonderland\n")
    _ = try run(["openbis", "sync", "--no-index"])
    try expectAllScreens(
      of: "openbis",
      [
        .screen("browser", "alice@127.0.0.1"), .selects(".down"),
        .action("Show servers and users"), .screen("servers", "Servers", shows: "[in use]"), .back,
        .action("Search"), .screen("search", "Search"), .line("=PROBE-4"), .shows("\nWords: PROBE-4\n"), .back,
        .item("Spaces: 5HT"), .item("PROJECT_2"), .item("COLLECTION_2"), .item("PROBE-4 "),
        .action("Show as a tree"), .screen("tree", "Children", shows: "[RAW_DATA]"), .back,
        .item("RAW_DATA"), .screen("detail", "-251", shows: "Data of PROBE-4"),
        .action("Show the image full-screen"), .screen("image", "Image"), .back,
        .item("Name: Data of PROBE-4"), .screen("text", "Name", shows: "\nData of PROBE-4\n"), .back,
        .action("Show the files of the data set"), .screen("files", "Files of"),
        .item("gel.png"), .screen("preview", "gel.png", shows: "pixels"), .back, .back, .back,
        .line(":detail none"), .screen("host.error", "detail", shows: "\nerror: 'none' is not in the cache\n"),
      ])
  }

  @Test func `every screen of WSABI is used in lines`() throws {
    let sensor = try simulator("wsabi", "simulate", "--sensors", "1", "--modality", "finger")
    defer {
      sensor.process.send(SIGTERM)
      _ = sensor.process.wait()
    }
    let key = folder.url("station.key")
    _ = try run(["wsabi", "store", "init", "--new-key-file", key.path, "--user", "anna"])
    _ = try run(["wsabi", "person", "add", "--first-name", "Ada", "--last-name", "Lovelace"], key: key)
    let item = ["wsabi", "item", "add", "1", "--submodality", "RightIndexFlat", "--sensor", sensor.address]
    _ = try run(item, key: key)
    _ = try run(["wsabi", "capture", "1"], key: key)
    try expectAllScreens(
      of: "wsabi",
      [
        .screen("unlock", "Unlock", shows: "is locked"),
        .item("key file"), .line(key.path), .screen("people", "People", shows: "Right Index: captured"),
        .action("Show the capture full screen"), .screen("lightbox", "Right Index"), .back,
        .item("Right Index"), .screen("card", "Right Index", shows: "Quality: "), .back,
        .action("Add an item"), .screen("walkthrough", "New item", shows: "step 1 of 4"), .back,
        .action("Edit the person"), .screen("biography", "Ada Lovelace"),
        .item("Date of birth"), .screen("date", "Date of birth", shows: "\nselected: "), .back,
        .item("Notes"), .screen("notes", "Notes"), .back, .back,
        .action("Show the logs"), .screen("log", "Audit log"), .back,
        .action("Settings"), .screen("settings", "Settings"), .back,
      ])
  }

  @Test func `every screen of the program itself is used in lines`() throws {
    _ = try run(["plugin", "disable", "openbis"])
    let screens = try follow(
      [
        .screen("host.home", "Workbench", shows: "disabled"),
        .line(":"), .screen("host.palette", "Commands"), .line("/molecules list"), .item("molecules list"),
        .screen("host.result", "list", shows: "BUCKMINSTERFULLERENE"),
      ], from: ["run"])
    #expect(screens.count == 3)
    let others = try follow(
      [
        .screen("host.home", "Workbench"), .item("Take the tour"), .screen("host.tour", "Tour", shows: "1 of 5"), .back,
        .item("Show the keys"), .screen("host.help", "Help", shows: "Everywhere"), .back,
      ], from: ["run"])
    #expect(others.count == 3)
  }

  // MARK: Help

  @Test func `the help of every command is plain text on a dumb terminal`() throws {
    let all = try object("help") as? [String: Any]
    var commands = try #require(all?["commands"] as? [[String: Any]])
    for plugin in try #require(try object("plugin", "list") as? [[String: Any]]) {
      let help = try object("help", try #require(plugin["id"] as? String)) as? [String: Any]
      commands += try #require(help?["commands"] as? [[String: Any]])
    }
    let names = commands.compactMap { $0["name"] as? String }
    #expect(names.count == commands.count && names.count > 200)
    let text = try run(["exec", names.map { "help " + $0 }.joined(separator: "\n"), "--plain"])
    #expect(names.filter { !text.contains("Usage: workbench \($0)") } == [])
    Self.expectWords(text)
    // Without the option, as the terminal is dumb.
    for name in ["run", "molecules render"] {
      let words = ["help"] + name.split(separator: " ").map(String.init)
      #expect(try run(words) == run(words + ["--plain"]))
    }
  }
}
