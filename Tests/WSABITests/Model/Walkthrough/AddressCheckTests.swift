import Testing

@testable import WSABI

@Suite struct AddressCheckTests {
  private let finger = Submodality(word: "LeftThumbFlat")

  private func information(_ modality: String, _ submodality: [String], readOnly: Bool = false) -> ServiceInformation {
    ServiceInformation(
      WireDictionary([
        .init(
          "modality",
          .parameter(
            SensorParameter(
              name: "modality", type: "string", isReadOnly: true, defaultValue: .string(modality)))),
        .init(
          "submodality",
          .parameter(
            SensorParameter(
              name: "submodality", type: "string", isReadOnly: readOnly, defaultValue: .string(submodality.first ?? ""),
              allowedValues: submodality.map { .string($0) }))),
      ]), namespace: .bioserv)
  }

  @Test func `fifty keystrokes make one request, three seconds after the last`() {
    var check = AddressCheck()
    var asked = 0
    var ticket = 0
    for count in 1...50 {
      let orders = check.edit(String(repeating: "a", count: count))
      guard case .startTimer(3000, let newest) = orders.last else {
        Issue.record("no timer")
        return
      }
      // All but the last timer were canceled; a late end does no harm.
      if ticket > 0 { asked += check.rested(ticket).count }
      ticket = newest
    }
    #expect(asked == 0)
    let orders = [check.rested(ticket), check.rested(ticket)]
    #expect(orders == [[.ask(address: String(repeating: "a", count: 50), ticket: ticket)], []])
    #expect(check.check == .checking)
    check.answered(ticket, information("Finger", ["LeftThumbFlat"]), .finger, finger)
    #expect(check.check == .successful)
  }

  @Test func `stale responses and responses after leaving are ignored`() {
    var check = AddressCheck("a")
    guard case .startTimer(_, let first) = check.open().last else {
      Issue.record("no timer")
      return
    }
    _ = check.rested(first)
    _ = check.edit("b")
    check.answered(first, information("Finger", ["LeftThumbFlat"]), .finger, finger)
    #expect(check.check == .checking)
    guard case .startTimer(50, let second) = check.again().last else {
      Issue.record("no timer")
      return
    }
    _ = check.rested(second)
    _ = check.leave()
    check.answered(second, nil, .finger, finger)
    #expect(check.check == .checking)
  }

  @Test func `an empty address makes no request`() {
    var check = AddressCheck("x")
    let orders = check.edit("  ")
    #expect(orders == [.cancel])
    #expect(check.check == .blank)
  }

  @Test func `the check depends on the sensor's capabilities`() {
    func judged(_ information: ServiceInformation) -> SensorCheck { .judging(information, .finger, finger) }
    #expect(judged(information("finger", ["RightThumbFlat", "leftthumbflat"])) == .successful)
    #expect(judged(information("Iris", ["LeftIris"])) == .badModality(.finger))
    #expect(judged(information("Finger", ["RightThumbFlat"])) == .badSubmodality(finger))
    #expect(
      judged(information("Finger", ["RightThumbFlat", "LeftThumbFlat"], readOnly: true)) == .badSubmodality(finger))
    #expect(judged(ServiceInformation(WireDictionary(), namespace: .nist)) == .badModality(.finger))
    #expect(SensorCheck.notFound.allowsDone && !SensorCheck.badModality(.face).allowsDone)
  }

  @Test func `with random typing, each pause makes one request`() {
    var random: UInt64 = 0x2545_F491_4F6C_DD1D
    func next(_ bound: UInt64) -> UInt64 {
      random ^= random << 13
      random ^= random >> 7
      random ^= random << 17
      return (random >> 11) % bound
    }
    for _ in 0..<10_000 {
      var check = AddressCheck()
      var timer: Int?
      var asked = 0
      var rests = 0
      for _ in 0..<20 {
        switch next(4) {
        case 0, 1:
          let orders = check.edit(next(5) == 0 ? "" : "host\(next(9))")
          timer = nil
          for case .startTimer(_, let ticket) in orders { timer = ticket }
        case 2:
          if let ticket = timer {
            rests += 1
            asked += check.rested(ticket).count
            timer = nil
          }
        default: check.answered(Int(next(30)), nil, .finger, finger)
        }
      }
      #expect(asked == rests)
    }
  }
}
