import PluginAPI
import Testing

@testable import Host

@MainActor struct TerminalLinksTests {
  private func addresses(_ text: String) -> [String] {
    let pieces = TerminalLinks.pieces(of: text)
    #expect(pieces.map(\.text).joined() == text, "no text is lost")
    return pieces.filter(\.isAddress).map(\.text)
  }

  @Test func `addresses end before the punctuation of their sentence`() {
    #expect(
      addresses("see https://rcsb.org/structure/1CRN, or (http://a.b/c?d=1&e=2).") == [
        "https://rcsb.org/structure/1CRN", "http://a.b/c?d=1&e=2",
      ])
    #expect(
      addresses("https://en.wikipedia.org/wiki/Crambin_(protein)") == [
        "https://en.wikipedia.org/wiki/Crambin_(protein)"
      ])
    #expect(addresses("<https://a.b> 'https://c.d'") == ["https://a.b", "https://c.d"])
  }

  @Test func `an address that is truncated, too long or without a host is not linked`() {
    #expect(addresses("https://a.b/long… and https:// and httpsx://a") == [])
    #expect(addresses("https://a.b/" + String(repeating: "x", count: 3000)) == [])
    #expect(addresses("") == [] && addresses("é https://ä") == [])
  }

  @Test(.timeLimit(.minutes(1))) func `a million parentheses after a scheme are searched at once`() {
    #expect(addresses("http://" + String(repeating: ")", count: 1_000_000)) == [])
  }

  @Test func `an address cannot control the terminal`() {
    var encoder = StyledTextEncoder(depth: .none, isPlain: true)
    encoder.linkedWidth = 80
    let bytes = encoder.bytes(of: StyledText("https://a.b/\u{1B}]8;;https://evil\u{07}x"))
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(!text.contains("\u{07}") && text.hasPrefix("\u{1B}]8;;https://a.b/\u{1B}\\https://a.b/\u{1B}]8;;\u{1B}\\"))
  }

  @Test func `an address that ends at the last column is not linked`() {
    var encoder = StyledTextEncoder(depth: .none, isPlain: true)
    encoder.linkedWidth = 20
    let text = StyledText("see https://a.b/long\nsee https://a.b\n")
    let shown = String(decoding: encoder.bytes(of: text), as: UTF8.self)
    #expect(shown == "see https://a.b/long\nsee \u{1B}]8;;https://a.b\u{1B}\\https://a.b\u{1B}]8;;\u{1B}\\\n\n")
  }

  @Test func `terminals are recognized by their environment, but not in a multiplexer`() {
    for known in [
      ["TERM_PROGRAM": "WezTerm"], ["VTE_VERSION": "7200"], ["KONSOLE_VERSION": "220401"], ["TERM": "xterm-kitty"],
      ["WT_SESSION": "x"], ["TERM": "foot-extra"],
    ] {
      #expect(TerminalLinks.areKnown(in: known), "\(known)")
      #expect(!TerminalLinks.areKnown(in: known.merging(["TMUX": "/tmp/x"]) { $1 }))
    }
    for unknown in [[:], ["TERM": "xterm-256color"], ["VTE_VERSION": "4800"], ["TERM": "dumb"], ["TERM": "linux"]] {
      #expect(!TerminalLinks.areKnown(in: unknown), "\(unknown)")
    }
  }

  @Test func `results have links if enabled, but never in plain text or JSON`() async throws {
    let run = try CommandLineRun(environment: ["TERM": "xterm-kitty"])
    let words = ["sample", "echo", "https://a.b"]
    #expect(try await !run.output(words).contains("\u{1B}]8;;"), "the output is not a terminal")
    run.interpreter.session.options.links = .always
    #expect(try await run.output(words).contains("\u{1B}]8;;https://a.b\u{1B}\\https://a.b"))
    #expect(try await run.output(words + ["--plain"]) == "https://a.b\n")
    #expect(try await !run.output(words + ["--json"]).contains("\u{1B}"))
    try await run("config", "set", "links", "never")
    #expect(HostSettings.options(run.interpreter.session.settings).links == .never)
  }
}
