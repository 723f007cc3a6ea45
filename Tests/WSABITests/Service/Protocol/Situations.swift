@testable import WSABI

/// A situation of NIST's service tests, seen by the client: the request and the response.
struct Situation: Sendable {
  var name: String
  var operation: SensorOperation
  var result: WrittenResult

  init(_ name: String, _ operation: SensorOperation, _ result: WrittenResult = WrittenResult()) {
    self.name = name
    self.operation = operation
    self.result = result
  }

  init(_ name: String, _ operation: SensorOperation, _ status: String, badFields: [String]? = nil) {
    self.init(name, operation, WrittenResult(status: status, badFields: badFields, message: "because of \(status)"))
  }

  /// All of them.
  static let all: [Situation] =
    sessions + locks + sensor + configuration + captures + downloads + cancels + information

  static let sessions: [Situation] = [
    Situation("register ok", .register, WrittenResult(session: TestID.session)),
    Situation("register many", .register, WrittenResult(session: TestID.other)),
    Situation("register exceeds the maximum number of sessions", .register, "failure"),
    Situation("register drops the least recently used session", .register, WrittenResult(session: TestID.other)),
    Situation("register forced to fail", .register, "failure"),
    Situation("unregister ok", .unregister),
    Situation("unregister an unknown session", .unregister),
    Situation("unregister with an id that cannot be parsed", .unregister, "badValue", badFields: ["sessionId"]),
    Situation("unregister while the sensor is busy", .unregister, "sensorBusy"),
    Situation("unregister releases the lock", .unregister),
    Situation("unregister a session that went stale", .unregister),
    Situation("unregister forced to fail", .unregister, "failure"),
  ]

  static let locks: [Situation] = [
    Situation("lock ok", .tryLock),
    Situation("lock twice", .tryLock),
    Situation("lock with an unknown session", .tryLock, "invalidId"),
    Situation("lock with an id that cannot be parsed", .tryLock, "badValue", badFields: ["sessionId"]),
    Situation("lock held by another", .tryLock, "lockHeldByAnother"),
    Situation("lock lost to simultaneous clients", .tryLock, "lockHeldByAnother"),
    Situation("lock forced to fail", .tryLock, "failure"),
    Situation("steal a free lock", .stealLock),
    Situation("steal one's own lock", .stealLock),
    Situation("steal too soon", .stealLock, "failure"),
    Situation("steal after the period", .stealLock),
    Situation("steal with an unknown session", .stealLock, "invalidId"),
    Situation("steal with an id that cannot be parsed", .stealLock, "badValue", badFields: ["sessionId"]),
    Situation("unlock ok", .unlock),
    Situation("unlock twice", .unlock),
    Situation("unlock held by another", .unlock, "lockHeldByAnother"),
    Situation("unlock while the sensor is busy", .unlock, "sensorBusy"),
    Situation("unlock with an unknown session", .unlock, "invalidId"),
    Situation("unlock with an id that cannot be parsed", .unlock, "badValue", badFields: ["sessionId"]),
    Situation("unlock forced to fail", .unlock, "failure"),
  ]

  /// The situations that every operation of the sensor may meet.
  static let sensor: [Situation] = [
    SensorOperation.initialize, .uninitialize, .getConfiguration, .setConfiguration, .capture, .beginCapture,
    .endCapture,
  ].flatMap { operation in
    [
      Situation("\(operation.words) ok", operation, success(of: operation)),
      Situation("\(operation.words) unregistered", operation, "invalidId"),
      Situation(
        "\(operation.words) with an id that cannot be parsed", operation, "badValue", badFields: ["sessionId"]),
      Situation("\(operation.words) without the lock", operation, "lockNotHeld"),
      Situation("\(operation.words) while another holds the lock", operation, "lockHeldByAnother"),
      Situation("\(operation.words) with a sensor that fails", operation, "sensorFailure"),
      Situation("\(operation.words) with a general failure", operation, "failure"),
      Situation("\(operation.words) takes too long", operation, "sensorTimeout"),
      Situation("\(operation.words) canceled", operation, "canceled"),
      Situation("\(operation.words) canceled with a failure of the sensor", operation, "canceledWithSensorFailure"),
      Situation("\(operation.words) while another call runs", operation, "sensorBusy"),
      Situation("\(operation.words) before initialization", operation, "initializationNeeded"),
      Situation("\(operation.words) before configuration", operation, "configurationNeeded"),
    ]
  }

  static let configuration: [Situation] = [
    Situation("set configuration unsupported", .setConfiguration, "unsupported", badFields: ["submodality"]),
    Situation("set configuration of no such parameter", .setConfiguration, "noSuchParameter", badFields: ["shutter"]),
    Situation("set configuration with a value out of range", .setConfiguration, "badValue", badFields: ["gain"]),
    Situation(
      "set configuration with two values of wrong types", .setConfiguration, "badValue",
      badFields: ["gain", "a <strange> & key"]),
    Situation("get configuration with every type", .getConfiguration, WrittenResult(metadata: everyValue)),
    Situation("get configuration that is empty", .getConfiguration, WrittenResult(metadata: [])),
  ]

  static let captures: [Situation] = [
    Situation("capture with several results", .capture, WrittenResult(captureIDs: [TestID.capture, TestID.other])),
    Situation(
      "end of a capture with several results", .endCapture, WrittenResult(captureIDs: [TestID.capture, TestID.other])),
    Situation("end of a capture that never began", .endCapture, "failure"),
  ]

  static let downloads: [Situation] =
    [SensorOperation.download, .getDownloadInfo, .thriftyDownload].flatMap { operation in
      [
        Situation("\(operation.words) ok", operation, success(of: operation)),
        Situation("\(operation.words) of an unknown id", operation, "invalidId"),
        Situation(
          "\(operation.words) of an id that cannot be parsed", operation, "badValue", badFields: ["captureId"]),
        Situation("\(operation.words) while data is prepared", operation, "preparingDownload"),
        Situation("\(operation.words) failed", operation, "failure"),
      ]
    } + [
      Situation("thrifty download larger than the original", .thriftyDownload, "unsupported"),
      Situation(
        "thrifty download with a size that cannot be parsed", .thriftyDownload, "badValue", badFields: ["maxSize"]),
      Situation(
        "thrifty download with two bad fields", .thriftyDownload, "badValue", badFields: ["captureId", "maxSize"]),
      Situation(
        "thrifty download with less metadata", .thriftyDownload,
        WrittenResult(metadata: [("contentType", .string("image/png"))], data: someBytes(4000))),
      Situation("download of one byte", .download, WrittenResult(metadata: captureMetadata, data: [0])),
      Situation("download of two bytes", .download, WrittenResult(metadata: captureMetadata, data: [255, 254])),
      Situation("download of a large picture", .download, WrittenResult(metadata: [], data: someBytes(100_001))),
    ]

  static let cancels: [Situation] = [
    Situation("cancel when nothing runs", .cancel),
    Situation("cancel twice", .cancel),
    Situation("cancel of an unknown session", .cancel, "invalidId"),
    Situation("cancel with an id that cannot be parsed", .cancel, "badValue", badFields: ["sessionId"]),
    Situation("cancel without the lock", .cancel, "lockNotHeld"),
    Situation("cancel while another holds the lock", .cancel, "lockHeldByAnother"),
    Situation("cancel with a sensor that fails", .cancel, "sensorFailure"),
    Situation("cancel of another's operation after the lock was stolen", .cancel),
  ]

  static let information: [Situation] = [
    Situation("service information ok", .getServiceInfo, WrittenResult(metadata: serviceMetadata)),
    Situation("service information failed", .getServiceInfo, "failure"),
    Situation(
      "sensor status ready", .getSensorStatus, WrittenResult(metadata: [("sensorStatus", .string("ready"))])),
    Situation(
      "sensor status capturing", .getSensorStatus, WrittenResult(metadata: [("sensorStatus", .string("capturing"))])),
    Situation("sensor status failed", .getSensorStatus, "failure"),
    Situation("a status of a future version", .initialize, "sensorAsleep"),
  ]

  /// Returns the result of a successful operation.
  static func success(of operation: SensorOperation) -> WrittenResult {
    switch operation {
    case .capture, .endCapture: WrittenResult(captureIDs: [TestID.capture])
    case .getConfiguration: WrittenResult(metadata: [("submodality", .string("LeftIris"))])
    case .download, .thriftyDownload: WrittenResult(metadata: captureMetadata, data: someBytes(1001))
    case .getDownloadInfo: WrittenResult(metadata: captureMetadata)
    default: WrittenResult()
    }
  }

  /// Returns bytes that are not text.
  static func someBytes(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ $0 >> 7) } }

  static let captureMetadata: [(String, WrittenValue)] = [
    (
      "captureDate",
      .plain("dateTime", "2012-02-14T09:30:15.1234567-05:00", .dateTime("2012-02-14T09:30:15.1234567-05:00"))
    ),
    ("modality", .string("Iris")), ("submodality", .string("LeftIris")), ("contentType", .string("image/bmp")),
    ("width", .int(640)),
  ]

  static let serviceMetadata: [(String, WrittenValue)] = [
    (
      "gain",
      .parameter(
        WrittenParameter(
          name: "gain", type: "int", defaultValue: .int(4),
          allowedValues: [
            .range(minimum: .int(0), maximum: .int(9), minimumIsExclusive: nil, maximumIsExclusive: true), .int(12),
          ]))
    ),
    (
      "modality",
      .parameter(WrittenParameter(name: "modality", isReadOnly: true, defaultValue: .string("Iris")))
    ),
    (
      "submodality",
      .parameter(
        WrittenParameter(
          name: "submodality", supportsMultiple: true, defaultValue: .string("BothIrises"),
          allowedValues: [.string("LeftIris"), .string("RightIris"), .string("BothIrises")]))
    ),
    (
      "size",
      .parameter(
        WrittenParameter(
          name: "size", type: "Resolution", defaultValue: .resolution("640", "480", unit: nil),
          allowedValues: [.resolution("640", "480", unit: "pixels"), .resolution("19.685", "1e2", unit: "mm")]))
    ),
    (
      "livePreview",
      .parameter(
        WrittenParameter(
          name: "livePreview", type: "ResourceArray", isReadOnly: true,
          defaultValue: .resources([("stream/view/uuid", "multipart/x-mixed-replace")])))
    ),
    (
      "captureTimeout",
      .parameter(
        WrittenParameter(
          name: "captureTimeout", type: "positiveInteger", isReadOnly: true,
          defaultValue: .plain("positiveInteger", "20000", .integer(20_000, type: "positiveInteger"))))
    ),
  ]

  /// A value of every type.
  static let everyValue: [(String, WrittenValue)] = [
    ("nothing", .null), ("text", .string("a <b> & \"c\" 'd' ]]> ü €  \u{1F600} ")), ("empty", .string("")),
    ("lines", .string("one\ntwo\rthree\tfour")), ("flag", .boolean(true)), ("number", .int(-7)),
    ("long", .plain("long", "9223372036854775807", .integer(.max, type: "long"))),
    ("huge", .plain("integer", "170141183460469231731687", .decimal("170141183460469231731687", type: "integer"))),
    ("unsigned", .plain("unsignedShort", "65535", .integer(65_535, type: "unsignedShort"))),
    ("natural", .plain("nonNegativeInteger", "0", .integer(0, type: "nonNegativeInteger"))),
    ("float", .plain("float", "1.5E-3", .double(0.0015, type: "float"))),
    ("endless", .plain("double", "-INF", .double(-.infinity, type: "double"))),
    ("decimal", .plain("decimal", "0019.6850", .decimal("0019.6850", type: "decimal"))),
    ("moment", .plain("dateTime", "1969-12-31T23:59:60Z", .dateTime("1969-12-31T23:59:60Z"))),
    ("local moment", .plain("dateTime", "2100-01-01T00:00:00", .dateTime("2100-01-01T00:00:00"))),
    ("bytes", .plain("base64Binary", "AAEC/w==", .bytes([0, 1, 2, 255]))),
    ("address", .plain("anyURI", "http://host/a?b=c&d", .uri("http://host/a?b=c&d"))),
    ("day", .plain("gDay", "---07", .other("---07", type: "gDay"))),
    ("open range", .range(minimum: nil, maximum: .int(3), minimumIsExclusive: nil, maximumIsExclusive: nil)),
    (
      "range of resolutions",
      .range(
        minimum: .resolution("1", "2", unit: nil), maximum: .resolution("3", "4", unit: "mm"),
        minimumIsExclusive: true, maximumIsExclusive: false)
    ),
    ("resource", .resource("http://host/x", contentType: "image/png", relationship: "preview")),
    ("array", .array([.string("a"), .int(1), .null, .array([.boolean(false)])])),
    ("empty array", .array([])), ("strings", .strings(["x", "", "<y>"])), ("ids", .ids([TestID.other])),
    ("resources", .resources([("a", "b"), ("c", "d")])),
    ("dictionary", .dictionary([("inner", .dictionary([("deep", .int(5))])), ("none", .null)])),
  ]
}
