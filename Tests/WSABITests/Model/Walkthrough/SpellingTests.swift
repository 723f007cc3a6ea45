import Testing

@testable import WSABI

/// Returns the words of a service for what is captured: what the setup takes for a sensor that can do it, and what is
/// sent to it.
@Suite struct SpellingTests {
  /// Returns the spellings that services use for a submodality.
  private static func spellings(_ known: Submodality) -> [String] {
    let word = known.wireName
    let parted = word.reduce(into: "") { text, letter in
      text += letter.isUppercase && !text.isEmpty ? " \(letter)" : "\(letter)"
    }
    let all: [String] = [
      word, word.lowercased(), word.uppercased(), word.prefix(1).lowercased() + word.dropFirst(), parted,
      parted.replacing(" ", with: "-"), parted.lowercased().replacing(" ", with: "_"), known.title,
      known.title.lowercased(), known.title.filter { $0 != " " }, " \(word) ",
    ]
    return Array(Set(all)).sorted()
  }

  /// The form in which a service lists the words it offers.
  private enum Form: CaseIterable {
    case allowed, allowedInList, defaultAlone, listAsDefault, fixed, fixedList, bare, bareList

    /// True if the setting is read-only, so that nothing has to be sent.
    var isFixed: Bool { self == .fixed || self == .fixedList }

    /// True if the form has room for several words.
    var isOfSeveral: Bool { ![.defaultAlone, .fixed, .bare].contains(self) }

    func value(_ words: [String]) -> WireValue {
      let values = words.map { WireValue.string($0) }
      let list = WireValue.array(values, type: "StringArray")
      var parameter = SensorParameter(name: "submodality", type: "string")
      parameter.isReadOnly = isFixed
      switch self {
      case .allowed: (parameter.allowedValues, parameter.defaultValue) = (values, values[0])
      case .allowedInList: parameter.allowedValues = [list]
      case .defaultAlone, .fixed: parameter.defaultValue = values[0]
      case .listAsDefault, .fixedList: parameter.defaultValue = list
      case .bare: return values[0]
      case .bareList: return list
      }
      return .parameter(parameter)
    }
  }

  private static func information(_ modality: String, _ value: WireValue) -> ServiceInformation {
    let parameter = SensorParameter(
      name: "modality", type: "string", isReadOnly: true, defaultValue: .string(modality))
    return ServiceInformation(
      WireDictionary([.init("modality", .parameter(parameter)), .init("submodality", value)]), namespace: .bioserv)
  }

  /// Returns the settings sent for an item, according to the check of its configuration.
  private static func sent(_ wanted: Submodality, _ information: ServiceInformation) -> ConfigurationCheck {
    ConfigurationCheck(WireDictionary([.init("submodality", .string(wanted.wireName))]), for: information)
  }

  @Test func `a submodality that the setup accepts can be sent in every spelling of the service`() {
    var wrong: [String] = []
    for wanted in Submodality.known {
      let modality = wanted.modality ?? .other
      let modalityWord = modality == .other ? wanted.wireName : modality.title
      for (spelling, form) in Self.spellings(wanted).flatMap({ word in Form.allCases.map { (word, $0) } }) {
        let others = form.isOfSeveral ? Submodality.known.filter { $0 != wanted }.prefix(3).map(\.wireName) : []
        let information = Self.information(modalityWord, form.value([spelling] + others))
        let check = Self.sent(wanted, information)
        let expected = form.isFixed ? nil : spelling
        if SensorCheck.judging(information, modality, wanted) != .successful || !check.problems.isEmpty
          || check.sendable["submodality"]?.plainText != expected
        {
          wrong.append("\(wanted.wireName) as '\(spelling)', \(form): \(check.problems)")
        }
      }
    }
    #expect(wrong == [])
  }

  @Test func `no other submodality is sent, however it is spelled`() {
    var wrong: [String] = []
    for wanted in Submodality.known {
      for form in [Form.allowed, .allowedInList, .fixedList] {
        let others = Submodality.known.filter { $0 != wanted }.flatMap { [$0.wireName, $0.title] }
        let information = Self.information("Finger", form.value(others))
        let isTaken = SensorCheck.judging(information, .finger, wanted) == .successful
        if isTaken || Self.sent(wanted, information).keys != ["submodality"] {
          wrong.append("\(wanted.wireName), \(form)")
        }
      }
    }
    #expect(wrong == [])
  }

  @Test func `of several spellings the closest is sent, and none if several are equally close`() {
    func offer(_ words: String...) -> ServiceOffer {
      Self.information("Finger", Form.allowed.value(words)).offer(of: .string("LeftMiddleFlat"), under: "submodality")
    }
    #expect(offer("leftMiddle", "leftmiddleflat", "LeftMiddleFlat") == .one(.string("LeftMiddleFlat")))
    #expect(offer("leftMiddle", "Left Middle Flat") == .one(.string("Left Middle Flat")))
    #expect(offer("LeftMiddleRolled", "leftMiddle", "leftMiddle") == .one(.string("leftMiddle")))
    #expect(offer("leftMiddle", "Left Middle") == .several)
    #expect(offer("LeftMiddleRolled", "LeftIndex") == .nothing)
    let information = Self.information("Finger", Form.allowed.value(["leftMiddle", "Left Middle"]))
    let wanted = Submodality(wire: "LeftMiddleFlat")
    #expect(SensorCheck.judging(information, .finger, wanted) == .badSubmodality(wanted))
    #expect(Self.sent(wanted, information).keys == ["submodality"])
  }

  @Test func `an unknown submodality is sent unchanged or in the service's letter case`() {
    let wanted = Submodality(word: "R-1")
    let information = Self.information("Finger", Form.allowed.value(["R1", "r-1", "L-1"]))
    #expect(SensorCheck.judging(information, .finger, wanted) == .successful)
    #expect(Self.sent(wanted, information).sendable["submodality"] == .string("r-1"))
    let other = Self.information("Finger", Form.allowed.value(["R1", "L-1"]))
    #expect(SensorCheck.judging(other, .finger, wanted) == .badSubmodality(wanted))
    #expect(Self.sent(wanted, other).keys == ["submodality"])
  }

  @Test func `several requested submodalities are sent in the service's spelling`() {
    var parameter = SensorParameter(name: "submodality", type: "string", supportsMultiple: true)
    parameter.allowedValues = [.string("left iris"), .string("rightIris")]
    let information = Self.information("Iris", .parameter(parameter))
    let wanted = WireValue.array([.string("LeftIris"), .string("RightIris")], type: "StringArray")
    let check = ConfigurationCheck(WireDictionary([.init("submodality", wanted)]), for: information)
    #expect(check.problems == [])
    #expect(
      check.sendable["submodality"] == .array([.string("left iris"), .string("rightIris")], type: "StringArray"))
  }

  @Test func `a modality matches the service's spelling of it, and no other modality`() {
    func keys(_ own: String, _ wanted: String) -> [String] {
      let information = Self.information(own, Form.fixed.value(["x"]))
      return ConfigurationCheck(WireDictionary([.init("modality", .string(wanted))]), for: information).keys
    }
    #expect(keys(" finger", "Finger") == [] && keys("SignatureSign", "Signature") == [])
    #expect(keys("Scent", "Voice") == ["modality"] && keys("Iris", "Finger") == ["modality"])
  }
}
