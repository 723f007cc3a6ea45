import Foundation
import PluginAPI
import TestSupport
import Testing

@testable import Host

struct InterfaceFileTests {
  private let folder: TemporaryFolder
  private let settings: Settings

  init() throws {
    folder = try TemporaryFolder()
    settings = Settings(path: folder.url("settings.json").path, environment: [:])
  }

  private func write(_ text: String, to name: String) throws { try folder.write(Array(text.utf8), name) }

  private func packed(_ role: Color.Role, _ settings: Settings) -> UInt32 {
    HostSettings.options(settings).theme.color(ofRole: Color.role(role).packed)
  }

  private static let roles: [Color.Role] = [
    .heading, .secondary, .accent, .selection, .inactiveSelection, .error, .warning, .success, .match,
  ]

  @Test func `a user's theme has its file's colors, and the standard theme's for the others`() throws {
    try write(#"{"host": {"theme": "mine"}}"#, to: "settings.json")
    try write(##"{"error": "#a40E26", "accent": 200, "warning": "default"}"##, to: "themes/mine.json")
    #expect(HostSettings.problems(settings) == [])
    #expect(packed(.error, settings) == Color.rgb(0xA4, 0x0E, 0x26).packed)
    #expect(packed(.accent, settings) == Color.palette(200).packed)
    #expect(packed(.warning, settings) == 0)
    #expect(packed(.success, settings) == Color.palette(2).packed)
    let frame = TextFrame(size: Size(width: 0, height: 0))
    #expect(FrameText.text(frame, .ansi, path: [], outline: nil, theme: HostSettings.options(settings).theme).isEmpty)
    let theme = HostSettings.options(settings).theme
    let line = StyledText("x", .error)
    let bytes = StyledTextEncoder(depth: .trueColor, theme: theme).bytes(of: line)
    #expect(String(decoding: bytes, as: UTF8.self) == "\u{1B}[1;38;2;164;14;38mx\u{1B}[m\n")
  }

  @Test(arguments: ["light", "high-contrast"])
  func `built-in themes are readable on their background`(name: String) throws {
    let settings = Settings(path: settings.path, environment: ["WORKBENCH_THEME": name])
    #expect(HostSettings.problems(settings) == [])
    #expect(packed(.accent, settings) != Color.palette(6).packed)
    let (ground, least): (UInt32, Double) = name == "light" ? (0xFFFFFF, 4.5) : (0, 5)
    for role in Self.roles {
      let color = Color(packed: packed(role, settings))
      // The terminal's own color is readable.
      guard color != .standard else { continue }
      let rgb = color.paletteIndex.map(ColorMapping.components) ?? color.packed
      #expect(ColorTests.contrast(rgb & 0xFFFFFF, ground) >= least, "\(role)")
    }
  }

  @Test(arguments: [
    ("[]", "it is not a JSON object"), ("{", "line 1, column 2: "),
    (#"{"eror": 1}"#, "'eror' is not a role; did you mean 'error'?"),
    (#"{"error": "red"}"#, "'error' is \"red\", not \"default\", a number from 0 to 255 or a color such as "),
    (#"{"error": 256}"#, "'error' is 256, not "), (##"{"error": "#12345"}"##, "'error' is \"#12345\", not "),
  ])
  func `a broken theme is not used, and its error states the cause`(text: String, problem: String) throws {
    try write(#"{"host": {"theme": "mine"}}"#, to: "settings.json")
    try write(text, to: "themes/mine.json")
    let error = try #require(HostSettings.problems(settings).first).report
    #expect(error.code == "host.broken-theme" && error.kind == .unusableInput)
    #expect(error.message.hasPrefix("'\(folder.path.path)/themes/mine.json': " + problem), "\(error.message)")
    #expect(HostSettings.options(settings).theme == .standard)
  }

  @Test(arguments: ["hihg-contrast", "../settings", "nothing-like-it"])
  func `an unknown theme is an error`(name: String) throws {
    try write(#"{"host": {"theme": "\#(name)"}}"#, to: "settings.json")
    let error = try #require(HostSettings.problems(settings).first).report
    #expect(error.code == "host.unknown-theme" && error.message == "there is no theme '\(name)'")
    let advice = try #require(error.advice)
    #expect(name == "hihg-contrast" ? advice == "did you mean 'high-contrast'?" : advice.contains("light, standard"))
  }

  @MainActor @Test func `an unknown theme or key map cannot be set`() async throws {
    let run = try CommandLineRun()
    #expect(await run.error("config", "set", "theme", "nope")?.code == "host.unknown-theme")
    #expect(await run.error("config", "set", "key-map", "nope")?.code == "host.unknown-key-map")
    #expect(try await run.output("config", "get", "theme") == "standard\n")
    try await run("config", "set", "theme", "light")
    #expect(try await run.output("config", "get", "theme") == "light\n")
    #expect(EnvironmentChecks.settings(run.interpreter.session.settings).map(\.status) == [.ok])
  }

  @Test func `settings override the key map, which overrides standard keys`() throws {
    try write(#"{"host": {"key-map": "mine", "keys": {"turn": ["x", "f2"]}}}"#, to: "settings.json")
    try write(#"{"turn": "y", "host.help": ["f3"], "host.redraw": []}"#, to: "keys/mine.json")
    #expect(HostSettings.problems(settings) == [])
    let keys = HostSettings.keys(settings)
    #expect(keys["turn"] == [Key(.character("x")), Key(.function(2))])
    #expect(HostKey.help.keys(keys) == [Key(.function(3))] && HostKey.redraw.keys(keys) == [])
    #expect(HostKey.palette.keys(keys) == HostKey.palette.standardKeys)
  }

  @Test func `several keys in one text are a sequence`() throws {
    try write(#"{"host": {"key-map": "mine", "keys": {"turn": ["ctrl-x r", "x"]}}}"#, to: "settings.json")
    try write(#"{"turn": "y", "host.home": "g h", "host.help": []}"#, to: "keys/mine.json")
    #expect(HostSettings.problems(settings) == [])
    let (keys, sequences) = (HostSettings.keys(settings), HostSettings.sequences(settings))
    #expect(keys["turn"] == [Key(.character("x"))] && sequences["turn"]?.map(\.label) == ["ctrl-x r"])
    #expect(keys["host.home"] == [] && HostKey.home.sequences(keys, sequences).map(\.label) == ["g h"])
    #expect(HostKey.help.sequences(keys, sequences) == [])
    #expect(HostKey.tour.sequences(keys, sequences).map(\.label) == ["ctrl-x t"])
  }

  @Test func `sequences of a broken key map are not used`() throws {
    try write(#"{"host": {"key-map": "mine"}}"#, to: "settings.json")
    try write(#"{"turn": "g t", "mode": "g nokey"}"#, to: "keys/mine.json")
    #expect(HostSettings.problems(settings).count == 1 && HostSettings.sequences(settings) == [:])
  }

  @Test(arguments: [
    (#"{"host.helpp": "x"}"#, "'host.helpp' is not an action; those of the host are host.help, host.palette, "),
    (#"{"turn": "nokey"}"#, "'turn' has \"nokey\", which is not a key such as "), (#"{"turn": [1]}"#, "'turn' has 1, "),
  ])
  func `a broken key map is not used, and its error states the cause`(text: String, problem: String) throws {
    try write(#"{"host": {"key-map": "mine"}}"#, to: "settings.json")
    try write(text, to: "keys/mine.json")
    let error = try #require(HostSettings.problems(settings).first).report
    #expect(error.code == "host.broken-key-map")
    #expect(error.message.hasPrefix("'\(folder.path.path)/keys/mine.json': " + problem), "\(error.message)")
    #expect(HostSettings.keys(settings).isEmpty)
    let findings = EnvironmentChecks.settings(settings)
    #expect(findings.map(\.status) == [.ok, .error] && findings.last?.name == "key-map")
  }

  @Test func `keys in the settings are checked too`() throws {
    try write(#"{"host": {"keys": {"turn": "nokey"}}}"#, to: "settings.json")
    let error = try #require(HostSettings.problems(settings).first).report
    #expect(error.code == "host.broken-key-map" && error.message.hasPrefix("'\(settings.path)': 'turn' has "))
  }
}
