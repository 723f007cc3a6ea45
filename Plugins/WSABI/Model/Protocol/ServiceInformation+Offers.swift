/// A service's match for a requested word.
enum ServiceOffer: Sendable, Hashable {
  case nothing
  /// The one value that means it, as the service spells it.
  case one(WireValue)
  /// Several values may mean it. The choice would be ambiguous, and the capture must show the requested part.
  case several
}

extension ServiceInformation {
  /// Keys whose values are words that services spell differently.
  private static let spelledKeys: Set<String> = ["modality", "submodality"]

  /// Returns the plain values a service names under a key.
  ///
  /// For a read-only parameter its value counts; for others its allowed values, or the default if it names none. Lists
  /// count by their elements.
  func offers(_ key: String) -> [WireValue] {
    guard let parameter = parameter(key) else { return parameters[key].map(Self.plain) ?? [] }
    let isOnlyDefault = parameter.isReadOnly || parameter.allowedValues.isEmpty
    return (isOnlyDefault ? [parameter.defaultValue] : parameter.allowedValues).flatMap(Self.plain)
  }

  private static func plain(_ value: WireValue) -> [WireValue] {
    if case .array(let elements, _) = value { return elements.filter { $0.plainText != nil } }
    return value.plainText == nil ? [] : [value]
  }

  /// Returns the service's value for a requested one under a key, such as `leftMiddle` for `LeftMiddleFlat`.
  ///
  /// This one rule decides whether a sensor can do something and what is sent to it. The nearest spelling counts: the
  /// same letters, the same in another case, the word of the wire with blanks or hyphens, the title. If several are
  /// equally near, none counts. Keys whose values are not words have no matches.
  func offer(of wanted: WireValue, under key: String) -> ServiceOffer {
    guard Self.spelledKeys.contains(key) else { return .nothing }
    if case .array(let elements, let type) = wanted { return offer(of: elements, type, under: key) }
    guard let word = wanted.plainText else { return .nothing }
    let offers = offers(key).compactMap { value in value.plainText.map { (text: $0, value: value) } }
    let (lowered, wire) = (word.lowercased(), Submodality.key(Submodality(word: word).wireName))
    let means = Self.meaning(of: word, under: key)
    let nearness: [(String) -> Bool] = [
      { $0 == word }, { $0.lowercased() == lowered }, { Submodality.key($0) == wire && means($0) }, means,
    ]
    for isNear in nearness {
      let found = offers.filter { isNear($0.text) }
      guard let first = found.first else { continue }
      return Set(found.map(\.text)).count == 1 ? .one(first.value) : .several
    }
    return .nothing
  }

  /// Returns the values for several requested together; none unless each has exactly one.
  private func offer(of elements: [WireValue], _ type: String, under key: String) -> ServiceOffer {
    var own: [WireValue] = []
    for element in elements {
      switch offer(of: element, under: key) {
      case .one(let value): own.append(value)
      case let other: return other
      }
    }
    return own.isEmpty ? .nothing : .one(.array(own, type: type))
  }

  /// Returns true if the service captures data of a modality.
  func offers(_ modality: Modality) -> Bool {
    offers("modality").contains { $0.plainText.flatMap { Modality(word: $0) } == modality }
  }

  /// Returns true if two words under a key mean the same, however they are spelled.
  static func isSame(_ word: String, _ other: String, under key: String) -> Bool {
    meaning(of: word, under: key)(other)
  }

  /// Returns a predicate that tests whether another word under a key means the same as the given one.
  private static func meaning(of word: String, under key: String) -> (String) -> Bool {
    switch key {
    case "submodality":
      let submodality = Submodality(word: word)
      return submodality.isNamed
    case "modality":
      guard let modality = Modality(word: word) else { return { _ in false } }
      // Each of the others is its own modality on the wire.
      let own = Submodality(word: word)
      return { Modality(word: $0) == modality && (modality != .other || own.isNamed($0)) }
    default: return { _ in false }
    }
  }
}
