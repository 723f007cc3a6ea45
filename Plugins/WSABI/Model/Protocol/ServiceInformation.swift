/// A service's description of itself, by the keys of the standard.
///
/// - Source: WS-Biometric Devices 1.0 (OASIS, July 2017), section 5; the defaults of NIST's .NET service.
struct ServiceInformation: Sendable, Hashable {
  /// All parameters, as received.
  let parameters: WireDictionary
  let namespace: ProtocolNamespace

  init(_ parameters: WireDictionary, namespace: ProtocolNamespace) {
    self.parameters = parameters
    self.namespace = namespace
  }

  /// Returns the parameter of a key; nil if there is none, or the value is not a parameter.
  func parameter(_ key: String) -> SensorParameter? {
    guard case .parameter(let parameter) = parameters[key] else { return nil }
    return parameter
  }

  /// Returns the value of a key as a text: the default of its parameter, or the value itself.
  func text(_ key: String) -> String? {
    (parameter(key)?.defaultValue ?? parameters[key]).flatMap(\.plainText)
  }

  /// The time of the last change to the information, as the service wrote it; nil if it does not say.
  var lastUpdated: String? { text("lastUpdated") }

  /// Returns true if another response of the service carries the same information, so that conclusions from it still
  /// hold.
  ///
  /// The standard's time of the last change decides; if the service does not send one, all parameters are compared. An
  /// earlier time also counts as different: clocks are set, and services replaced.
  func isSame(as other: ServiceInformation) -> Bool {
    guard namespace == other.namespace else { return false }
    guard let lastUpdated, let otherMoment = other.lastUpdated else { return parameters == other.parameters }
    return lastUpdated == otherMoment
  }

  /// Returns a time in milliseconds if it is plausible (up to a day).
  func milliseconds(_ key: String) -> Int? {
    text(key).flatMap(Int.init).flatMap { (0...86_400_000).contains($0) ? $0 : nil }
  }

  /// Returns the service's timeout for an operation, in milliseconds; 30 000 if it does not say.
  func timeoutInMilliseconds(of operation: SensorOperation) -> Int {
    let key: String? =
      switch operation {
      case .initialize: "initializationTimeout"
      case .uninitialize: "uninitializationTimeout"
      case .getConfiguration: "getConfigurationTimeout"
      case .setConfiguration: "setConfigurationTimeout"
      case .capture: "captureTimeout"
      case .beginCapture: "beginCaptureTimeout"
      case .endCapture: "endCaptureTimeout"
      case .register, .unregister, .tryLock, .stealLock, .unlock, .getServiceInfo, .getSensorStatus, .download,
        .getDownloadInfo, .thriftyDownload, .rawDownload, .cancel, .stream:
        nil
      }
    return key.flatMap(milliseconds) ?? 30_000
  }

  /// The shortest time until data is ready after a capture, in milliseconds.
  var postAcquisitionProcessingTimeInMilliseconds: Int { milliseconds("postAcquisitionProcessingTime") ?? 0 }

  /// The time for which a lock cannot be stolen, in milliseconds; nil if the service does not say.
  var lockStealingPreventionPeriodInMilliseconds: Int? { milliseconds("lockStealingPreventionPeriod") }

  /// A description of when the lock can be stolen; empty if the service does not say.
  var stealingWords: String {
    guard let period = lockStealingPreventionPeriodInMilliseconds, period > 0 else { return "" }
    return "it allows stealing \((period + 999) / 1000) s after the sensor was last used"
  }

  /// The time without a request after which a session may end, in seconds; nil if the service does not say, or never
  /// ends it.
  ///
  /// NIST's Java service counts milliseconds and all others seconds, and none states the unit. Values up to 3600, an
  /// hour and the usual value, are taken as seconds: in milliseconds no session would last four seconds. Larger values
  /// are taken as milliseconds. If those were seconds, a session is kept alive more often than necessary, which does no
  /// harm; the opposite error would lose it.
  var inactivityTimeoutInSeconds: Int? {
    guard let number = text("inactivityTimeout").flatMap(Int.init), number > 0 else { return nil }
    return number > 3600 ? number / 1000 : number
  }

  /// The longest time between two uses of a session that is to be kept, in milliseconds: a third of its timeout.
  ///
  /// Nil if it need not be kept, or ends too soon to be kept.
  var keepAliveIntervalInMilliseconds: Int? {
    guard let timeout = inactivityTimeoutInSeconds, timeout > 2 else { return nil }
    return max(1000, timeout * 1000 / 3)
  }

  /// The sources of the live preview: first those open to everybody, then those for the holder of the lock only; empty
  /// if there is none.
  var livePreviews: [WireResource] {
    var all: [WireResource] = []
    for key in ["livePreview", "stream"] {
      let value = parameter(key)?.defaultValue ?? parameters[key]
      if case .resource(let resource) = value { all.append(resource) }
      if case .array(let elements, _) = value { for case .resource(let resource) in elements { all.append(resource) } }
    }
    let streams = all.filter(\.isStreamOfPictures)
    return streams.filter { !$0.needsLock } + streams.filter(\.needsLock)
  }
}

extension WireValue {
  /// The text of a plain value; nil for compound values and null.
  var plainText: String? {
    switch self {
    case .string(let text), .dateTime(let text), .uri(let text), .decimal(let text, _), .other(let text, _): text
    case .boolean(let flag): flag ? "true" : "false"
    case .integer(let number, _): String(number)
    case .double(let number, _): number.description
    case .null, .bytes, .range, .resolution, .resource, .parameter, .array, .dictionary: nil
    }
  }
}

extension WireResource {
  /// True if the last segment `uuid` is a placeholder for the session that holds the lock.
  ///
  /// - Source: WS-Biometric Devices 1.0 (OASIS, July 2017), live preview.
  var needsLock: Bool { uri.split(separator: "/").last?.lowercased() == "uuid" }

  /// True if the resource may be a stream of pictures; a service that does not say is believed.
  fileprivate var isStreamOfPictures: Bool {
    let type = (contentType ?? "").lowercased()
    return type.isEmpty || type.hasPrefix("multipart/")
  }
}

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
