/// The capabilities and settings of a simulated sensor.
public struct SensorProfile: Sendable {
  let modality: SimulatedModality
  /// The words for the wire.
  let modalityWord: String
  let submodalities: [String]
  /// The settings that a configuration may hold.
  let settings: [SimulatedParameter]

  init(_ modality: SimulatedModality, _ configuration: SimulatorConfiguration) {
    self.modality = modality
    let isOld = configuration.namespace == .preRelease
    modalityWord = isOld && modality != .other ? modality.rawValue : modality.word
    submodalities = isOld && modality == .face ? ["frontalFace"] : modality.submodalities
    settings =
      [
        .fixed("modality", .text(modalityWord)),
        SimulatedParameter(
          name: "submodality", type: "string",
          defaultValue: .text(submodalities.first { $0.hasSuffix("Flat") } ?? submodalities[0]),
          allowedValues: submodalities.map { .text($0) }),
        SimulatedParameter(
          name: "imageContentType", type: "string", defaultValue: .text(configuration.contentType),
          allowedValues: [.text("image/bmp"), .text("image/png")]),
      ] + Self.settings(of: modality)
  }

  /// Creates the profile of a sensor that is not simulated.
  public init(_ modality: SimulatedModality, submodalities: [String], settings: [SimulatedParameter]) {
    (self.modality, modalityWord, self.submodalities) = (modality, modality.word, submodalities)
    self.settings =
      [
        .fixed("modality", .text(modality.word)),
        SimulatedParameter(
          name: "submodality", type: "string", defaultValue: .text(submodalities.first ?? ""),
          allowedValues: submodalities.map { .text($0) }),
      ] + settings
  }

  private static func settings(of modality: SimulatedModality) -> [SimulatedParameter] {
    let note = SimulatedParameter(name: "operatorNote", type: "string", defaultValue: .text(""))
    switch modality {
    case .finger:
      return [
        SimulatedParameter(
          name: "imageDensity", type: "int", defaultValue: .int(500), allowedValues: [.int(250), .int(500), .int(1000)]),
        number("gain", 4, 0, 10, isExclusive: true), SimulatedParameter.fixed("segmentation", .flag(false)), note,
      ]
    case .face, .iris:
      return [
        SimulatedParameter(
          name: "imageSize", type: "Resolution", isTypeOfSchema: false, defaultValue: .size(640, 480),
          allowedValues: [
            .size(640, 480),
            .range(
              SimulatedRange(
                minimum: .size(160, 120), maximum: .size(320, 240), minimumIsExclusive: false,
                maximumIsExclusive: false)),
          ]),
        number(modality == .iris ? "illumination" : "brightness", 50, 0, 100, isExclusive: false),
        SimulatedParameter(
          name: "exposure", type: "double", defaultValue: .plain("0.01", type: "double"),
          allowedValues: [
            .range(
              SimulatedRange(
                minimum: .plain("0", type: "double"), maximum: .plain("1", type: "double"), minimumIsExclusive: true))
          ]), note,
      ]
    default: return [number("gain", 4, 0, 10, isExclusive: true), note]
    }
  }

  private static func number(
    _ name: String, _ usual: Int, _ least: Int, _ greatest: Int, isExclusive: Bool
  ) -> SimulatedParameter {
    SimulatedParameter(
      name: name, type: "int", defaultValue: .int(usual),
      allowedValues: [
        .range(SimulatedRange(minimum: .int(least), maximum: .int(greatest), maximumIsExclusive: isExclusive))
      ])
  }

  func setting(_ name: String) -> SimulatedParameter? { settings.first { $0.name == name } }
}

extension SensorProfile {
  /// Returns the refusal of a configuration; nil if it can be applied.
  ///
  /// Unknown keys are reported first, then values, then combinations: 1000 pixels per inch are for single fingers only.
  func problem(with items: [SimulatedItem], current: [String: SimulatedValue]) -> SimulatedAnswer? {
    func refused(_ status: SimulatedStatus, _ keys: [String]) -> SimulatedAnswer? {
      var response = SimulatedAnswer(status)
      response.badFields = keys
      return keys.isEmpty ? nil : response
    }
    if let response = refused(.noSuchParameter, items.map(\.key).filter { setting($0) == nil }) { return response }
    if let response = refused(.badValue, items.filter { !accepts($0) }.map(\.key)) { return response }
    var all = current
    for item in items { all[item.key] = item.value }
    let isSlap = (all["submodality"]?.plainText ?? "").hasSuffix("Slap")
    return isSlap && all["imageDensity"]?.plainText == "1000"
      ? refused(.unsupported, ["imageDensity", "submodality"]) : nil
  }

  private func accepts(_ item: SimulatedItem) -> Bool {
    guard let setting = setting(item.key) else { return false }
    guard Self.is(item.value, of: setting) else { return false }
    if setting.isReadOnly { return Self.are(item.value, setting.defaultValue, areEqual: true) }
    if setting.allowedValues.isEmpty { return true }
    return setting.allowedValues.contains { allowed in
      if case .range(let range) = allowed { return Self.lies(item.value, in: range) }
      return Self.are(item.value, allowed, areEqual: true)
    }
  }

  private static let integers: Set = [
    "int", "integer", "long", "short", "byte", "nonNegativeInteger", "positiveInteger", "unsignedInt",
    "unsignedLong", "unsignedShort", "unsignedByte", "negativeInteger", "nonPositiveInteger",
  ]

  /// Returns true if a value has a setting's type.
  ///
  /// Integer types are interchangeable, and accepted for fractions.
  private static func `is`(_ value: SimulatedValue, of setting: SimulatedParameter) -> Bool {
    switch (value, setting.type) {
    case (.plain(let text, let type), "int"): integers.contains(type) && Int(text) != nil
    case (.plain(let text, let type), "double"):
      (integers.contains(type) || ["double", "float", "decimal"].contains(type)) && Double(text)?.isFinite == true
    case (.plain(let text, "boolean"), "boolean"): ["true", "false", "0", "1"].contains(text)
    case (.plain(_, "string"), "string"), (.plain(_, "anyURI"), "string"): true
    case (.resolution(let width, let height, _), "Resolution"): Double(width) != nil && Double(height) != nil
    default: false
    }
  }

  /// Returns the numbers by which a value is compared: one number, two, or none for texts.
  private static func numbers(_ value: SimulatedValue) -> [Double] {
    switch value {
    case .plain(let text, let type) where type != "string": Double(text).map { [$0] } ?? []
    case .resolution(let width, let height, _): [Double(width) ?? -1, Double(height) ?? -1]
    default: []
    }
  }

  private static func are(_ value: SimulatedValue, _ other: SimulatedValue, areEqual: Bool) -> Bool {
    let (left, right) = (numbers(value), numbers(other))
    if !left.isEmpty, !right.isEmpty { return (left == right) == areEqual }
    return (value.plainText?.lowercased() == other.plainText?.lowercased()) == areEqual
  }

  private static func lies(_ value: SimulatedValue, in range: SimulatedRange) -> Bool {
    let number = numbers(value)
    func isAbove(_ bound: SimulatedValue?, _ isExclusive: Bool?, _ sign: Double) -> Bool {
      guard let bound else { return true }
      let bounds = numbers(bound)
      guard bounds.count == number.count, !number.isEmpty else { return false }
      return zip(number, bounds).allSatisfy { own, bound in
        isExclusive == true ? own * sign > bound * sign : own * sign >= bound * sign
      }
    }
    return isAbove(range.minimum, range.minimumIsExclusive, 1) && isAbove(range.maximum, range.maximumIsExclusive, -1)
  }
}
