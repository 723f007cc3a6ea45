/// How simulated sensors behave.
struct SimulatorConfiguration: Sendable {
  /// Whose way of writing XML they have.
  enum Style: String, CaseIterable, Sendable {
    /// That of .NET: prefixes such as `d4p1` at every value, `q:type`, no declaration.
    case wcf
    /// That of Java: a declaration, prefixes `xs` and `xsi` at every value, an empty `message` on success.
    case jaxb
  }

  /// Whose way of behaving they have where NIST's two services differ: steal lock, bad ids, foreign configurations.
  enum Manner: String, CaseIterable, Sendable {
    case dotNet = "dotnet"
    case java
  }

  /// What their pictures are.
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
  /// Where the ids of sessions and captures begin; nil for the seed.
  ///
  /// A simulator that is started again gives ids that a store knows already, unless they begin elsewhere.
  var idSeed: UInt64?
  /// The port of all sensors, or of the first if each has its own; 0 for any that is free.
  var port = 0
  /// The port of the ledger and the control; 0 for any that is free.
  var adminPort = 0
  /// For HTTPS: the certificates, the server's own first, and their key, as PEM; nil for HTTP.
  var certificate: SimulatorCertificate?
  /// Whether each sensor has a port, and with it a thread, of its own; else all share one and differ by their paths.
  var hasOwnPorts = false
  /// Nil for that of the style's makers.
  var manner: Manner?
  /// How the sensors are announced to who looks for some; nil for not at all.
  var announcement: SimulatedAnnouncement?
  /// What the sensors capture, in turn.
  var modalities: [Modality] = [.finger, .face, .iris]
  var pictures = Pictures.quick
  /// Who stands at the sensors at first.
  var person = 1
  /// What a configuration does not say.
  var contentType = "image/bmp"
  /// The size of each capture in bytes, as a bitmap of noise; nil for pictures.
  var captureSizeInBytes: Int?
  /// How many captures a call gives; nil for what is natural: two for both irises, one else.
  var capturesPerCall: Int?
  /// Whether a slap is followed by its fingers one by one.
  var segmentsSlaps = false

  var captureDelayInMilliseconds = 0
  /// How long initialising, configuring and the like take.
  var workDelayInMilliseconds = 0
  /// How long data is prepared after a capture.
  var postProcessingInMilliseconds = 0
  /// How long the sensor waits in each operation of its own.
  var timeoutInMilliseconds = 30_000
  var maximumSessions = 256
  var dropsLRUSessions = true
  var inactivityTimeoutInSeconds = 3600
  var stealPreventionInMilliseconds = 61_440
  var storageInBytes = Int.max
  var dropsLRUCaptures = true
  var requiresConfiguration = false
  /// Whether a configuration in another namespace is answered with success and not applied; nil for the manner's way.
  var ignoresForeignConfigurations: Bool?
  /// Whether `noSuchParameter` is written as in NIST's schemas, `noSuchParamter`; nil for the manner's way.
  var misspellsNoSuchParameter: Bool?
  /// Whether requests without a stated length are refused where they could have a body.
  var demandsLength = false
  /// Whether answers come in chunks, without a stated length; nil for the manner's way: every other one of Java's.
  var isChunked: Bool?
  var hasPreview = true
  /// Whether everybody may see the live preview, and not the holder of the lock alone.
  var hasOpenPreview = true
  var framesPerSecond = 20
  /// Whether their clock moves by hand alone: then sessions, locks and data are as old as a test says.
  var hasStillClock = false
  /// What goes wrong from the beginning.
  var faults: [SimulatorFaultRule] = []
}

extension SimulatorConfiguration {
  var actualManner: Manner { manner ?? (style == .wcf ? .dotNet : .java) }
  var actuallyIgnoresForeign: Bool { ignoresForeignConfigurations ?? (actualManner == .java) }
  var actuallyMisspells: Bool { misspellsNoSuchParameter ?? (actualManner == .java) }
  /// Whether the namespace is one of OASIS, which brought previews, asynchronous captures and a status.
  var isOfOASIS: Bool { namespace == .biometrics || namespace == .bioserv }
}
