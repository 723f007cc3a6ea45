extension SimulatedSensor {
  /// Returns the service information: all keys of the standard and of the sensor, as parameters.
  ///
  /// - Source: WS-Biometric Devices 1.0 (OASIS, July 2017), section 5; the units are those of NIST's services.
  func information(base: String) -> SimulatedAnswer {
    let isJava = configuration.actualManner == .java
    let wait = configuration.timeoutInMilliseconds
    func count(_ name: String, _ number: Int, _ type: String = "positiveInteger") -> SimulatedParameter {
      .fixed(name, .int(number, type: type))
    }
    var all: [SimulatedParameter] = [
      .fixed("lastUpdated", .plain(SimulatedClock.text(1_384_300_800_000), type: "dateTime")),
      count(
        "inactivityTimeout", configuration.inactivityTimeoutInSeconds * (isJava ? 1000 : 1), "nonNegativeInteger"),
      count("maximumConcurrentSessions", configuration.maximumSessions),
      .fixed("autoDropLRUSessions", .flag(configuration.dropsLRUSessions)),
      count("initializationTimeout", wait), count("getConfigurationTimeout", wait),
      count("setConfigurationTimeout", wait), count("captureTimeout", wait),
    ]
    if configuration.isOfOASIS {
      all += [
        count("uninitializationTimeout", wait), count("beginCaptureTimeout", wait), count("endCaptureTimeout", wait),
        count("getCaptureStatusTimeout", 1000), count("cancelAsyncCaptureTimeout", 1000),
        .fixed("transferrableAsyncCapture", .flag(true)),
      ]
    }
    all += [
      count("postAcquisitionProcessingTime", configuration.postProcessingInMilliseconds, "nonNegativeInteger"),
      count("lockStealingPreventionPeriod", configuration.stealPreventionInMilliseconds, "nonNegativeInteger"),
      count("maximumStorageCapacity", configuration.storageInBytes),
      .fixed("lruCaptureDataAutomaticallyDropped", .flag(configuration.dropsLRUCaptures)),
    ]
    return .about((all + preview(base) + profile.settings).map { SimulatedItem($0.name, .parameter($0)) })
  }

  /// Returns the location of the live preview: a resource in the services of 2013, a list of them since.
  private func preview(_ base: String) -> [SimulatedParameter] {
    guard configuration.hasPreview else { return [] }
    func resource(_ path: String) -> SimulatedValue {
      .resource(
        uri: "\(base)/stream/\(path)", contentType: "multipart/x-mixed-replace",
        relationship: configuration.isOfOASIS ? "livePreview" : nil)
    }
    let (open, locked) = (resource("live"), resource("locked/uuid"))
    if !configuration.isOfOASIS { return [.fixed("stream", configuration.hasOpenPreview ? open : locked)] }
    let all = configuration.hasOpenPreview ? [open, locked] : [locked]
    return [.fixed("livePreview", .array(all, type: "ResourceArray"))]
  }

  /// Returns the status of the sensor.
  ///
  /// - Source: WS-Biometric Devices 1.0 (OASIS, July 2017), `SensorStatus`: ready, initializing, configuring, capturing,
  ///   uninitializing, canceling. It has no word for a sensor at rest, which is ready to be initialized.
  func status(_ state: State) -> SimulatedAnswer {
    let word =
      switch state.job {
      case let job? where job.cancelled != nil: "canceling"
      case let job?: Self.word(of: job.operation)
      case nil: "ready"
      }
    let value: SimulatedValue = configuration.style == .jaxb ? .word(word, type: "SensorStatus") : .text(word)
    return .about([SimulatedItem("sensorStatus", value)])
  }

  private static func word(of operation: SensorOperation) -> String {
    switch operation {
    case .initialize: "initializing"
    case .uninitialize: "uninitializing"
    case .getConfiguration, .setConfiguration: "configuring"
    default: "capturing"
    }
  }
}
