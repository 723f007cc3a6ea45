import PluginAPI
import Testing

@testable import Host

@MainActor struct KeySequenceTests {
  private func sequence(_ text: String) throws -> KeySequence { try #require(KeySequence(text)) }

  @Test func `a sequence has two to four keys`() throws {
    #expect(try sequence("ctrl-x h").keys == [Key(.character("x"), .control), Key(.character("h"))])
    #expect(try sequence("g  left").label == "g ←")
    for text in ["", "x", "x nokey", "nokey x", "a b c d e"] { #expect(KeySequence(text) == nil, "'\(text)'") }
  }

  @Test func `the first key of a sequence shows the possible next keys with their titles`() async throws {
    let flow = try Flow(80, 14)
    try await flow.feed("ctrl-x")
    #expect(flow.lines[11].hasPrefix(" ctrl-x  ?   Help: keys of this screen"))
    #expect(flow.screen.contains("h   Go to the home screen") && flow.screen.contains("t   Take the tour"))
    #expect(flow.status.contains("esc Cancel"))
    try await flow.feed("h")
    #expect(flow.lines[0] == " Workbench" && !flow.screen.contains("esc Cancel"))
  }

  @Test func `escape cancels a sequence without closing the screen`() async throws {
    let flow = try Flow()
    try await flow.feed("enter ctrl-x escape")
    #expect(flow.lines[0].hasPrefix(" Tides › Ports › Port") && !flow.screen.contains("esc Cancel"))
    try await flow.feed("escape")
    #expect(flow.lines[0] == " Tides › Ports")
  }

  @Test func `an unknown sequence is reported and does nothing`() async throws {
    let flow = try Flow(80, 14)
    try await flow.feed("ctrl-x z")
    #expect(flow.status.contains("no action has the keys ctrl-x z") && flow.lines[0] == " Tides › Ports")
    try await flow.feed("ctrl-x ctrl-p")
    #expect(flow.screen.contains("Type to search"))
  }

  @Test func `users can assign sequences to actions of screens`() async throws {
    let flow = try Flow(
      80, 14, sequences: ["tides.ports.mode": [try sequence("g o m")], "turn(1)": [try sequence("g r")]])
    try await flow.feed("g")
    #expect(flow.screen.contains("o   …") && flow.screen.contains("r   Turn right"))
    try await flow.feed("r")
    #expect(flow.status.contains("turned 1"))
    try await flow.feed("g o")
    #expect(flow.status.contains("g o") && flow.status.contains("Switch the datum"))
    try await flow.feed("m")
    #expect(flow.screen.contains("Chart datum"))
  }

  @Test func `a text field receives the keys of a sequence as text`() async throws {
    let flow = try Flow(80, 14, sequences: ["mode": [try sequence("g m")]])
    try await flow.feed("n type:gm enter")
    #expect(flow.status.contains("named gm"))
  }

  @Test func `help and the palette show sequences`() async throws {
    let flow = try Flow(80, 50)
    try await flow.feed("?")
    #expect(flow.screen.contains("ctrl-x h") && flow.screen.contains("Go to the home screen"))
    try await flow.feed("escape ctrl-p type:home")
    #expect(flow.screen.contains("ctrl-x h"))
  }
}
