import PluginAPI
import Testing

@testable import WSABI

/// A sensor's report of what it captured is compared with the order.
struct SensorClaimTests {
  private func metadata(_ items: (String, WireValue)...) -> WireDictionary {
    WireDictionary(items.map { WireDictionary.Item($0.0, $0.1) })
  }

  private func other(_ wanted: String, _ said: WireDictionary) -> String? {
    let submodality = Submodality(wire: wanted)
    return SensorClaim.otherPart(said, wanted: submodality, submodality.modality ?? .other)
  }

  @Test(arguments: [
    ("LeftIndexFlat", ["LeftIndexFlat", "leftindexflat", "Left Index", "leftIndex", "UnknownFlat", "Unknown", "R1"]),
    ("LeftIndexRolled", ["LeftIndexRolled", "Left Index (Rolled)", "left index"]),
    ("LeftSlap", ["LeftSlap", "Left Slap", "LeftIndexFlat", "Left Little", "UnknownSlap"]),
    ("ThumbsSlap", ["ThumbsSlap", "RightThumbFlat", "LeftThumbFlat"]),
    ("BothIrises", ["BothIrises", "both irises", "LeftIris", "Right Iris"]), ("BothEars", ["LeftEar"]),
    ("Face2d", ["Face", "face2D", "frontalFace"]), ("frontalFace", ["Face2d"]), ("Palm", ["palm"]),
    ("vendorPart", ["VendorPart"]), ("UnknownFlat", ["LeftIndexFlat"]), ("UnknownRolled", ["LeftIndexRolled"]),
    ("TwoFingerSlap", ["RightIndexFlat", "UnknownSlap"]), ("Unknown", ["LeftIris", "Palm"]),
  ])
  func `the same submodality, a part of it or an unspecific name is accepted`(_ wanted: String, _ said: [String]) {
    for word in said {
      #expect(other(wanted, metadata(("submodality", .string(word)))) == nil, "\(word) for \(wanted)")
    }
  }

  @Test(arguments: [
    ("LeftIndexFlat", "RightThumbFlat"), ("LeftIndexFlat", "Right Thumb"), ("LeftIndexFlat", "LeftIndexRolled"),
    ("LeftIndexRolled", "LeftIndexFlat"), ("LeftIndexFlat", "LeftSlap"), ("LeftSlap", "RightSlap"),
    ("LeftSlap", "RightIndexFlat"), ("LeftIris", "RightIris"), ("LeftIris", "BothIrises"), ("Face2d", "Face3d"),
    ("Face2d", "LeftIris"), ("vendorPart", "LeftIris"), ("BothIrises", "LeftEar"),
    ("UnknownFlat", "LeftIndexRolled"), ("TwoFingerSlap", "LeftIris"),
  ])
  func `a different submodality is reported together with the requested one`(_ wanted: String, _ said: String) throws {
    let words = try #require(other(wanted, metadata(("submodality", .string(said)))))
    #expect(words.hasPrefix("the sensor reports '") && words.contains("' instead of '"))
  }

  @Test func `a report distinguishes submodalities with the same title`() {
    #expect(
      other("LeftIndexRolled", metadata(("submodality", .string("LeftIndexFlat"))))
        == "the sensor reports 'Left Index (Flat)' instead of 'Left Index (Rolled)'")
  }

  @Test func `a different modality alone is reported, and unknown or missing values are not`() {
    #expect(other("LeftIndexFlat", metadata(("modality", .string("Iris"))))?.contains("'Iris' data") == true)
    for word in ["finger", "Finger", "Unknown", "Aura", ""] {
      #expect(other("LeftIndexFlat", metadata(("modality", .string(word)))) == nil, "\(word)")
    }
    #expect(other("Voice", metadata(("modality", .string("Voice")), ("submodality", .string("Voice")))) == nil)
    #expect(other("LeftIndexFlat", metadata()) == nil)
  }

  @Test func `a submodality may be a list, a parameter, or under a key in other letter case`() {
    let parameter = SensorParameter(
      name: "submodality", type: "string", isReadOnly: true, supportsMultiple: false,
      defaultValue: .string("RightThumbFlat"), allowedValues: [])
    #expect(other("LeftIndexFlat", metadata(("Submodality", .parameter(parameter)))) != nil)
    let list = WireValue.array([.string("LeftIndexFlat"), .string("LeftMiddleFlat")], type: "StringArray")
    #expect(other("LeftIndexFlat", metadata(("submodality", list))) == nil)
    #expect(other("RightIndexFlat", metadata(("submodality", list))) != nil)
  }

  private func notes(_ items: (String, WireValue)...) -> [String] {
    // 2026-11-22T12:00:00Z.
    SensorClaim.notes(
      WireDictionary(items.map { WireDictionary.Item($0.0, $0.1) }), wanted: Submodality(wire: "LeftIndexFlat"),
      received: Instant(seconds: 1_795_348_800))
  }

  @Test func `a clock that is far off is reported, but time zones and delayed data are not`() {
    for text in [
      "2026-11-22T12:00:00", "2026-11-23T01:59:59+14:00", "2026-11-21T22:00:00-14:00", "2026-10-25T00:00:00.1234567Z",
    ] {
      #expect(notes(("captureDate", .dateTime(text))) == [], "\(text)")
    }
    for text in ["1970-01-01T00:00:00", "2100-01-01T00:00:00Z", "2026-11-25T00:00:00Z", "2025-11-22T12:00:00Z"] {
      let told = notes(("captureTime", .dateTime(text)))
      #expect(
        told == ["the sensor reports the capture date \(text.prefix(10)): its clock differs from this machine's"],
        "\(text)")
    }
    #expect(notes(("captureDate", .other("2026-02-31T25:61:61Zulu", type: "dateTime"))).count == 1)
  }

  @Test func `an unknown submodality is reported`() {
    #expect(notes(("submodality", .string("R1"))) == ["the sensor reports the unknown submodality 'R1'"])
    #expect(notes(("submodality", .string("RightThumbFlat"))) == [])
  }
}
