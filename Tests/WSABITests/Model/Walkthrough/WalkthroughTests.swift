import Testing

@testable import WSABI

@Suite struct WalkthroughTests {
  private let stored = Walkthrough.Choice(
    modality: .finger, submodality: Submodality(word: "LeftSlap"), deviceName: "desk", address: "http://a:8000")

  @Test func `a new item is chosen step by step and is complete only at the end`() {
    var walk = Walkthrough(from: .setup)
    let isKept = walk.keep()
    #expect(walk.step == .modality && !walk.canKeep && !isKept)
    walk.choose(.iris)
    walk.choose(Submodality(word: "LeftIris"))
    walk.chooseNewDevice()
    #expect(walk.step == .setup)
    #expect(walk.done(.blank) == nil)
    walk.setUp(name: "eye", address: "http://b:1")
    #expect(walk.done(.badModality(.iris)) == nil)
    #expect(walk.done(.checking) == nil)
    let choice = walk.done(.notFound)
    #expect(choice?.address == "http://b:1" && choice?.submodality?.wireName == "LeftIris")
  }

  @Test func `a stored item can keep its value at each step`() {
    var walk = Walkthrough(stored: stored)
    for step in [Walkthrough.Step.modality, .submodality, .device] {
      #expect(walk.step == step)
      let isKept = walk.keep()
      #expect(isKept)
    }
    #expect(walk.done(.successful) == stored)
  }

  @Test func `changing the modality clears the choices that depend on it`() {
    var walk = Walkthrough(stored: stored)
    walk.choose(.face)
    #expect(walk.choice.submodality == nil && walk.choice.address.isEmpty)
    #expect(!walk.canKeep)
    let wentBack = [walk.back(), walk.back()]
    #expect(wentBack == [true, false] && walk.step == .modality)
  }

  @Test func `the sensor alone can be changed`() {
    var walk = Walkthrough(stored: stored, from: .device)
    walk.choose(device: "door", at: "http://c:2", WireDictionary())
    #expect(walk.done(.successful)?.address == "http://c:2")
    #expect(walk.done(.successful)?.submodality == stored.submodality)
  }

  @Test func `a recent sensor's trust settings apply only to its address`() {
    let trust = SensorTrust(pins: ["pin"])
    var walk = Walkthrough()
    walk.choose(.finger)
    walk.choose(Submodality(wire: "LeftThumbFlat"))
    walk.choose(device: "desk", at: "https://a", WireDictionary(), trusting: trust)
    walk.setUp(name: "other name", address: "https://a")
    #expect(walk.choice.trust == trust && walk.choice.trust(at: "https://b").isEmpty)
    walk.setUp(name: "desk", address: "https://b")
    #expect(walk.choice.trust.isEmpty)
    var again = Walkthrough(stored: Walkthrough.Choice(address: "https://a", trust: trust), from: .setup)
    again.setUp(name: "", address: "https://b")
    again.setUp(name: "", address: "https://a")
    #expect(again.choice.trust == trust)
  }
}
