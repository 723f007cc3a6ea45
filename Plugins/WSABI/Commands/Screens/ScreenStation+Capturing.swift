import PluginAPI

/// What the capture card asks for.
extension ScreenStation {
  /// What a card shows of an item.
  func cardAndWait(_ item: Int) throws -> CardContent {
    let records = records()
    return try Waiting.value {
      let found = try await records.item(item)
      let items = try await records.items(of: found.person)
      let others = found.modality == .finger ? items.filter { $0.id != item } : []
      let states = MissingFingers(others).states
      let open = (1...10).filter { states[$0 - 1] == .waiting }.map(MissingFingers.title)
      // What an earlier run left open is asked of whoever opens the card next.
      let entries = found.capture == nil ? try await records.journal(of: item) : []
      return CardContent(
        item: found, person: try await records.person(found.person), open: open, question: CaptureQuestion(entries),
        next: found.next(in: items))
    }
  }

  /// What earlier captures of some items left to be decided.
  func questionsAndWait(_ items: [Int]) throws -> [Int: CaptureQuestion] {
    let records = records()
    return try Waiting.value {
      var found: [Int: CaptureQuestion] = [:]
      for item in items { found[item] = CaptureQuestion(try await records.journal(of: item)) }
      return found
    }
  }

  /// Takes the lock of a sensor from its holder.
  ///
  /// - Parameter cancels: Whether what the holder has begun is cancelled.
  /// - Returns: Whether the service gave it.
  func stealAndWait(_ address: SensorAddress, cancels: Bool) throws -> Bool {
    let sensors = sensors
    return try Waiting.value { try await sensors.steal(address, cancels) } == .success
  }

  /// For how long a service refuses to have its lock taken, in milliseconds; nil if it does not say.
  func stealPreventionAndWait(_ address: SensorAddress) throws -> Int? {
    let sensors = sensors
    return try Waiting.value {
      try await sensors.information(address).lockStealingPreventionPeriodInMilliseconds
    }
  }

  /// Cancels what a sensor does, whoever has begun it.
  ///
  /// - Throws: ``StationError/saidNo(_:_:message:badFields:)``.
  func interruptAndWait(_ address: SensorAddress) throws {
    let sensors = sensors
    let status = try Waiting.value { try await sensors.interrupt(address) }
    if status != .success { throw StationError.saidNo(.cancel, status, message: "", badFields: []) }
  }

  /// Gives back all locks and sessions; at the end of the program it is waited for, but not for long.
  func leaveSensors(waiting: Bool) {
    let sensors = sensors
    let leaving = Task.detached { await sensors.leave() }
    guard waiting else { return }
    // Captures that are cancelled at their sensors have their end written down.
    let isCapturing = sensors.operations().contains { $0.item != nil }
    let limit = Task.detached {
      do { try await Task.sleep(for: .milliseconds(isCapturing ? 5000 : 1500)) } catch {}
    }
    Waiting.end(of: leaving, or: limit)
  }
}

/// What a card is made of.
struct CardContent: Sendable {
  var item: BiometricItem
  var person: Person
  /// Fingers of the person that items are there for and no capture yet.
  var open: [String] = []
  /// What an earlier capture left to be decided.
  var question: CaptureQuestion?
  /// The item that is captured next.
  var next: BiometricItem?
}
