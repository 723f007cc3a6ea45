import Testing

@testable import WSABI

/// Configurations that a service would refuse, or take without applying them (fault 35).
@Suite struct ConfigurationCheckTests {
  private static func parameter(
    _ name: String, _ value: WireValue, readOnly: Bool = false, multiple: Bool = false, allowed: [WireValue] = []
  ) -> WireDictionary.Item {
    var parameter = SensorParameter(name: name, type: "string", defaultValue: value)
    parameter.isReadOnly = readOnly
    parameter.supportsMultiple = multiple
    parameter.allowedValues = allowed
    return .init(name, .parameter(parameter))
  }

  private static func integer(_ number: Int) -> WireValue { .integer(number, type: "int") }

  private static func resolution(_ width: String, _ height: String) -> WireValue {
    .resolution(WireResolution(width: width, height: height))
  }

  private static let information = ServiceInformation(
    WireDictionary([
      parameter("modality", .string("Iris"), readOnly: true),
      parameter(
        "submodality", .string("LeftIris"), multiple: true, allowed: [.string("LeftIris"), .string("RightIris")]),
      parameter(
        "gain", integer(4),
        allowed: [
          .range(WireRange(minimum: integer(0), maximum: integer(9), maximumIsExclusive: true)), integer(12),
        ]),
      parameter(
        "size", resolution("640", "480"),
        allowed: [.range(WireRange(minimum: resolution("10", "10"), maximum: resolution("640", "480")))]),
      parameter("note", .string("")), parameter("livePreview", .null, readOnly: true),
    ]), namespace: .bioserv)

  private func keys(_ items: [WireDictionary.Item]) -> [String] {
    ConfigurationCheck(WireDictionary(items), for: Self.information).keys
  }

  @Test func `allowed values can be sent in any letter case or number type`() {
    let items: [WireDictionary.Item] = [
      .init("submodality", .string("leftIRIS")), .init("gain", .decimal("8.5", type: "decimal")),
      .init("size", Self.resolution("640", "100")), .init("note", .string("anything")), .init("other", .boolean(true)),
    ]
    let check = ConfigurationCheck(WireDictionary(items), for: Self.information)
    #expect(check.problems == [])
    // The words of a service are sent in its own spelling.
    let own = WireDictionary.Item("submodality", .string("LeftIris"))
    #expect(check.sendable == WireDictionary([own] + items.dropFirst()))
    #expect(keys([.init("gain", Self.integer(12))]) == [])
    #expect(keys([.init("submodality", .array([.string("LeftIris"), .string("RightIris")], type: "Array"))]) == [])
  }

  @Test(arguments: [-1, 9, 10, 11, 13]) func `a number out of range is detected`(number: Int) {
    #expect(keys([.init("gain", Self.integer(number))]) == ["gain"])
  }

  @Test func `a resolution out of range is detected by its width or height`() {
    #expect(keys([.init("size", Self.resolution("641", "480"))]) == ["size"])
    #expect(keys([.init("size", Self.resolution("100", "9.9"))]) == ["size"])
  }

  @Test func `a value that is not allowed is detected, alone and in a list`() {
    #expect(keys([.init("submodality", .string("LeftThumbFlat"))]) == ["submodality"])
    #expect(keys([.init("submodality", .string("Both Irises"))]) == ["submodality"])
    let several = WireValue.array([.string("LeftIris"), .string("Ear")], type: "StringArray")
    #expect(keys([.init("submodality", several)]) == ["submodality"])
  }

  @Test func `a read-only setting is detected, and omitted if it has the value already`() {
    #expect(keys([.init("modality", .string("Finger"))]) == ["modality"])
    let same = ConfigurationCheck(
      WireDictionary([.init("modality", .string("iris")), .init("livePreview", .string("x"))]), for: Self.information)
    #expect(same.problems == [])
    #expect(same.sendable.isEmpty)
  }
}
