/// The behavior of simulated sensors.
struct SimulatorConfiguration: Sendable {
  /// The XML style of a known implementation.
  enum Style: String, CaseIterable, Sendable {
    /// That of .NET: prefixes such as `d4p1` at every value, `q:type`, no declaration.
    case wcf
    /// That of Java: a declaration, prefixes `xs` and `xsi` at every value, an empty `message` on success.
    case jaxb
  }

  /// The behavior of one of NIST's two services where they differ: steal lock, bad ids, foreign configurations.
  enum Manner: String, CaseIterable, Sendable {
    case dotNet = "dotnet"
    case java
  }

  /// The kind of pictures that the sensors deliver.
  enum Pictures: String, CaseIterable, Sendable {
    /// Synthetic fingerprints, faces and irises, in the full size of such captures.
    case synthetic
    /// A small pattern, another one for each capture, for tests of all but the pictures.
    case quick
  }

  var sensors = 1
  var namespace = ProtocolNamespace.bioserv
  var style = Style.wcf
  var seed: UInt64 = 1
  /// The seed for the ids of sessions and captures; nil for the general seed.
  ///
  /// A restarted simulator repeats ids that a store already knows, unless it gets another seed here.
  var idSeed: UInt64?
  /// The port of all sensors, or of the first if each has its own; 0 for any that is free.
  var port = 0
  /// The port of the ledger and the control; 0 for any that is free.
  var adminPort = 0
  /// For HTTPS: the certificates, the server's own first, and their key, as PEM; nil for HTTP.
  var certificate: SimulatorCertificate?
  /// True if each sensor has its own port, and with it a thread; otherwise all share one and differ by their paths.
  var hasOwnPorts = false
  /// The manner; nil for that of the style's makers.
  var manner: Manner?
  /// The announcement of the sensors to clients that search for them; nil for none.
  var announcement: SimulatedAnnouncement?
  /// The modalities of the sensors, in turn.
  var modalities: [Modality] = [.finger, .face, .iris]
  var pictures = Pictures.quick
  /// The person at the sensors at the start.
  var person = 1
  /// The type of pictures if a configuration does not set it.
  var contentType = "image/bmp"
  /// The size of each capture in bytes, as a bitmap of noise; nil for pictures.
  var captureSizeInBytes: Int?
  /// The number of captures per call; nil for the natural one: two for both irises, one otherwise.
  var capturesPerCall: Int?
  /// True if a slap is followed by its fingers one by one.
  var segmentsSlaps = false

  var captureDelayInMilliseconds = 0
  /// The duration of initialization, configuration and the like.
  var workDelayInMilliseconds = 0
  /// The time to prepare data after a capture.
  var postProcessingInMilliseconds = 0
  /// The sensor's timeout for each of its operations.
  var timeoutInMilliseconds = 30_000
  var maximumSessions = 256
  var dropsLRUSessions = true
  var inactivityTimeoutInSeconds = 3600
  var stealPreventionInMilliseconds = 61_440
  var storageInBytes = Int.max
  var dropsLRUCaptures = true
  var requiresConfiguration = false
  /// True if a configuration in another namespace is answered with success and not applied; nil for the manner's
  /// default.
  var ignoresForeignConfigurations: Bool?
  /// True if `noSuchParameter` is written as in NIST's schemas, `noSuchParamter`; nil for the manner's default.
  var misspellsNoSuchParameter: Bool?
  /// True if requests without a stated length are refused where they could have a body.
  var demandsLength = false
  /// True if responses are chunked, without a stated length; nil for the manner's default: every other one of Java's.
  var isChunked: Bool?
  var hasPreview = true
  /// True if everybody may see the live preview, not only the holder of the lock.
  var hasOpenPreview = true
  var framesPerSecond = 20
  /// True if the clock is advanced only by hand, so that a test controls the age of sessions, locks and data.
  var hasStillClock = false
  /// The faults active from the start.
  var faults: [SimulatorFaultRule] = []
}

extension SimulatorConfiguration {
  var actualManner: Manner { manner ?? (style == .wcf ? .dotNet : .java) }
  var actuallyIgnoresForeign: Bool { ignoresForeignConfigurations ?? (actualManner == .java) }
  var actuallyMisspells: Bool { misspellsNoSuchParameter ?? (actualManner == .java) }
  /// True if the namespace is one of OASIS, which introduced previews, asynchronous captures and a status.
  var isOfOASIS: Bool { namespace == .biometrics || namespace == .bioserv }
}
