/// A check that finds the faults of a configuration before it is sent to a sensor.
struct ConfigurationCheck: Sendable, Hashable {
  /// The settings that can be sent, known to the service or not; settings that only describe the service are left out.
  let sendable: WireDictionary
  /// The problems, each naming its key; empty if the configuration can be sent unchanged.
  let problems: [String]
  /// The keys with problems.
  let keys: [String]

  /// Keys that only describe the service and are never set: live previews, which old clients sent back.
  static let neverSent: Set<String> = ["stream", "livePreview"]

  init(_ configuration: WireDictionary, for information: ServiceInformation) {
    var sendable = WireDictionary()
    var problems: [String] = []
    var keys: [String] = []
    for item in configuration.items where !Self.neverSent.contains(item.key) {
      switch Self.judgement(item, information) {
      case .sent(let value): sendable[item.key] = value
      case .leftOut: break
      case .refused(let problem):
        problems.append(problem)
        keys.append(item.key)
      }
    }
    self.sendable = sendable
    self.problems = problems
    self.keys = keys
  }

  private enum Judgement {
    case sent(WireValue)
    case leftOut
    case refused(String)
  }

  /// Returns the judgment of a setting.
  ///
  /// A word that the service spells in its own way is sent in the service's spelling.
  private static func judgement(_ item: WireDictionary.Item, _ information: ServiceInformation) -> Judgement {
    let parameter = information.parameter(item.key)
    let offer = offer(item, parameter, information)
    let refusal = Judgement.refused("'\(item.key)' cannot be '\(item.value.plainText ?? "the given value")'")
    if offer == .several { return refusal }
    guard let parameter else {
      // For a setting that the service does not describe, the service itself decides.
      if case .one(let own) = offer { return .sent(own) }
      return .sent(item.value)
    }
    if parameter.isReadOnly {
      // A setting that already has the value is left out.
      if offer != .nothing || isSame(parameter.defaultValue, item.value) { return .leftOut }
      return .refused("'\(item.key)' cannot be set")
    }
    if case .one(let own) = offer { return .sent(own) }
    return isAllowed(item.value, by: parameter) ? .sent(item.value) : refusal
  }

  /// Returns the service's offer for a setting; several values at once match only if the service supports multiple
  /// values.
  private static func offer(
    _ item: WireDictionary.Item, _ parameter: SensorParameter?, _ information: ServiceInformation
  ) -> ServiceOffer {
    if case .array = item.value {
      guard let parameter, parameter.isReadOnly || parameter.supportsMultiple else { return .nothing }
    }
    return information.offer(of: item.value, under: item.key)
  }

  private static func isAllowed(_ value: WireValue, by parameter: SensorParameter) -> Bool {
    if parameter.allowedValues.isEmpty || value == .null { return true }
    if case .array(let elements, _) = value, parameter.supportsMultiple {
      return elements.allSatisfy { isAllowed($0, by: parameter) }
    }
    return parameter.allowedValues.contains { allowed in
      if case .range(let range) = allowed { return contains(range, value) }
      return isSame(allowed, value)
    }
  }

  /// Returns true if a number lies in a range, or both dimensions of a resolution do.
  ///
  /// Other values cannot be compared and are left to the service.
  private static func contains(_ range: WireRange, _ value: WireValue) -> Bool {
    let numbers = numbers(value)
    if let minimum = range.minimum.map(numbers(_:)), minimum.count == numbers.count {
      for (number, least) in zip(numbers, minimum) {
        if number < least || (number == least && range.minimumIsExclusive == true) { return false }
      }
    }
    if let maximum = range.maximum.map(numbers(_:)), maximum.count == numbers.count {
      for (number, greatest) in zip(numbers, maximum) {
        if number > greatest || (number == greatest && range.maximumIsExclusive == true) { return false }
      }
    }
    return true
  }

  /// Returns the number of a value, the two dimensions of a resolution, or an empty array.
  private static func numbers(_ value: WireValue) -> [Double] {
    if case .resolution(let resolution) = value {
      return [resolution.width, resolution.height].compactMap { Double($0) }
    }
    return number(value).map { [$0] } ?? []
  }

  private static func number(_ value: WireValue) -> Double? {
    switch value {
    case .integer(let number, _): Double(number)
    case .double(let number, _): number
    case .decimal(let text, _): Double(text)
    case .null, .string, .boolean, .dateTime, .bytes, .uri, .range, .resolution, .resource, .parameter, .array,
      .dictionary, .other:
      nil
    }
  }

  /// Returns true if two values are equal, ignoring the case of words and the type of numbers.
  private static func isSame(_ left: WireValue, _ right: WireValue) -> Bool {
    if left == right { return true }
    if let left = number(left), let right = number(right) { return left == right }
    guard let left = left.plainText, let right = right.plainText else { return false }
    return left.lowercased() == right.lowercased()
  }
}
