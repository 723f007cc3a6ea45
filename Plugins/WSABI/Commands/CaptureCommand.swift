import PluginAPI
import PluginText
import Synchronization

/// The command that captures.
enum CaptureCommand {
  private static let item = Argument("item", optional: Int.self, kind: .recordNumber, "Number of the item")
    .completedByItems()
  private static let person = Option(
    "person", Int.self, kind: .recordNumber, "Number of the person, with '--all' or '--missing'"
  ).completedByPeople()
  private static let all = Option(flag: "all", "Capture all items of the person, in parallel")
  private static let missing = Option(flag: "missing", "Capture only items without a capture")
  private static let again = Option(
    flag: "again", "Capture undecided items too, without asking")
  private static let retries = Option(
    "retries", Int.self, kind: .integer(minimum: 0, maximum: 100),
    "Retries of a capture that failed or has a low quality; the default is the setting 'capture-retries'")
  private static let minimumQuality = Option(
    "minimum-quality", Int.self, kind: .integer(minimum: 0, maximum: 100),
    "Lowest quality that is not retried; the default is the setting 'minimum-quality'")
  private static let inTurn = Option(flag: "in-turn", "Capture items one at a time, each after Enter")

  static let command = WSABICommand(
    CommandDescription(
      "capture", "Capture an item or all items of a person",
      output: .model(CapturedRun.self),
      effects: [.reads, .writes, .network]
    ).taking(
      item, person, all, missing, again, retries, minimumQuality, inTurn, StationKey.option
    ).explained(
      """
      Sensors work in parallel. With retries, the best capture is kept. A capture whose response is lost is reported \
      as unknown and never repeated automatically. With '--person', the command asks before it captures an undecided \
      item, whose last capture may still be at the sensor, or skips it if it cannot ask. Naming the item alone, or '--again', captures it again. Unfinished \
      captures of earlier runs are completed first; 'capture' waits up to 5 s for data of its own items. Ctrl-C \
      cancels at the sensor. Sensor sessions end with the command. The result and '--trace FILE' contain every protocol step.
      """,
      examples: [
        .init("capture 1", "One item"),
        .init("capture --person 1 --all --missing", "All missing items, with all sensors at once"),
        .init("capture --person 1 --missing --in-turn", "All missing items, each after Enter"),
        .init("capture 2 --retries 2 --minimum-quality 60", "The best of up to three captures"),
      ]), capture)

  @Sendable private static func capture(_ call: CommandCall, _ station: Station) async throws {
    let records = try await StationKey(call: call).openedRecords(station)
    let named = try await items(call, records)
    try await records.checkPermission(.capture)
    let leftCaptures = try await LeftCaptures(call, station, named)
    let captured: Captured
    do {
      captured = try await captureItems(named, beside: leftCaptures, call, station, records)
    } catch {
      await leftCaptures.end()
      throw error
    }
    await leftCaptures.end()
    let (results, left, minimum) = (captured.results, captured.left, captured.minimumQuality)
    let own = results.flatMap { CaptureCheck.warnings($0, minimumQuality: minimum) }
    let check = CaptureCheck(review: station.review(call.context, records), records: records)
    let together = await check.warnings(results)
    let warnings = own + together
    // In turn each was reported while the person was at the sensor.
    for warning in call[inTurn] ? together : warnings { call.warn(warning.diagnostic) }
    station.touch(call.context)
    try await call.emit(CapturedRun(results, warnings, captured.steps, milliseconds: captured.milliseconds))
    let problems = results.compactMap(\.problem)
    if problems.count > 1 { throw CaptureProblem.several(failed: problems.count, of: results.count) }
    if let problem = problems.first { throw problem.report }
    if !left.isEmpty { throw CaptureProblem.undecided(items: left) }
  }

  /// The results of a run, with the items that were left out.
  private struct Captured {
    var results: [CaptureRun.Result]
    /// Items that were left out, as an earlier capture of theirs is open.
    var left: [Int]
    var minimumQuality: Int?
    var steps: [CaptureStep]
    var milliseconds: Double
  }

  /// Captures the selected items, and releases the sensors.
  private static func captureItems(
    _ named: [BiometricItem], beside leftCaptures: LeftCaptures, _ call: CommandCall, _ station: Station,
    _ records: RecordStore
  ) async throws -> Captured {
    let news = await leftCaptures.news()
    let (items, left) = try await decided(named, news: news, call, records)
    if items.isEmpty, !left.isEmpty { throw CaptureProblem.undecided(items: left) }
    let links = station.links(call.context)
    let leftLocks = LeftLocks(call, station, reporting: Set(items.compactMap { try? $0.device.sensorAddress().text }))
    let trace = StepTrace(station, call)
    var run = station.captureRun(call.context, records)
    run.retries = call[retries] ?? run.retries
    run.minimumQuality = call[minimumQuality] ?? run.minimumQuality
    let results: [CaptureRun.Result]
    do {
      results = call[inTurn] ? try await capture(inTurn: items, run, call) : try await run.capture(items)
    } catch {
      _ = trace.end()
      await leftLocks.end(waits: false)
      throw error
    }
    if !station.hasLists {
      for address in await leave(items, links) { call.warn(LeftLocks.keptLock(address.text)) }
    }
    // A capture does not wait for the sensors of other clients.
    await leftLocks.end(waits: false)
    let (steps, milliseconds) = trace.end()
    return Captured(
      results: results, left: left, minimumQuality: run.minimumQuality, steps: steps, milliseconds: milliseconds)
  }

  /// Captures items one after the other, each once the operator confirms that the person is ready.
  ///
  /// An item that failed or is not good enough can be repeated at once.
  private static func capture(
    inTurn items: [BiometricItem], _ run: CaptureRun, _ call: CommandCall
  ) async throws -> [CaptureRun.Result] {
    var results: [CaptureRun.Result] = []
    turns: for (index, item) in items.enumerated() {
      let title = item.submodality.title
      let sensor = item.device.name.isEmpty ? item.device.address : item.device.name
      let question = "\(index + 1) of \(items.count): \(title) at \(SanitizedText.line(sensor, limit: 100))"
      guard let answer = try await reply(question, "Enter captures, s skips, q quits", call) else {
        // At the end of input, or without a terminal, there is no confirmation that the person is ready.
        if index == 0 { throw StationError.inTurnWithoutTerminal }
        break
      }
      if answer == "q" { break }
      if answer == "s" { continue }
      var wantsCapture = true
      while wantsCapture {
        guard let result = try await run.capture([item]).first else { break }
        results.removeAll { $0.item.id == item.id }
        results.append(result)
        if isGood(result, run, call) { continue turns }
        let answer = try await reply(title, "Enter continues, r captures again, q quits", call)
        guard let answer, answer != "q" else { break turns }
        wantsCapture = answer == "r"
      }
    }
    return results
  }

  // MARK: Decisions

  /// Asks about items with an open earlier capture.
  ///
  /// A capture is an act on a person; one that may already have happened is not repeated without confirmation. An item
  /// named on its own counts as decided, unless the user only now learns of its open capture.
  ///
  /// - Parameter news: Items whose capture just turned out to be open.
  /// - Returns: The items that are to be captured, and the numbers of those that are left out.
  private static func decided(
    _ items: [BiometricItem], news: Set<Int>, _ call: CommandCall, _ records: RecordStore
  ) async throws -> (items: [BiometricItem], left: [Int]) {
    if call[again] { return (items, []) }
    let open = call[item] == nil ? items : items.filter { news.contains($0.id) }
    let entries = try await records.newestEntries(of: open.map(\.id))
    var (decided, left): ([BiometricItem], [Int]) = ([], [])
    for item in items {
      if let question = entries[item.id].flatMap({ CaptureQuestion([$0]) }), try await !isWanted(item, question, call) {
        left.append(item.id)
      } else {
        decided.append(item)
      }
    }
    return (decided, left)
  }

  private static func isWanted(
    _ item: BiometricItem, _ question: CaptureQuestion, _ call: CommandCall
  ) async throws -> Bool {
    let text = "item \(item.id): \(SanitizedText.line(question.text, limit: 300))"
    if try await call.isConfirmed("\(text). Capture it again? Type 'yes' to capture") { return true }
    call.warn(
      Diagnostic(
        .warning, code: "wsabi.decision-needed", "\(text); it was not captured again",
        advice: "if the person is still there, capture it with 'capture \(item.id)' or '--again'"))
    return false
  }

  private static func reply(_ subject: String, _ keys: String, _ call: CommandCall) async throws -> String? {
    try await call.ask(PromptRequest("\(subject); \(keys)"))?.lowercased()
  }

  /// Reports the outcome of a capture while the person is at the sensor.
  ///
  /// - Returns: True if there is no reason to repeat the capture.
  private static func isGood(_ result: CaptureRun.Result, _ run: CaptureRun, _ call: CommandCall) -> Bool {
    for warning in CaptureCheck.warnings(result, minimumQuality: run.minimumQuality) { call.warn(warning.diagnostic) }
    if let problem = result.problem {
      call.warn(Diagnostic(problem.report, .warning))
      return false
    }
    let quality = result.report.worstScore.map { ", quality \($0) of 100" } ?? ""
    let text = "item \(result.item.id): stored \(result.item.submodality.title)\(quality)"
    call.warn(Diagnostic(.note, code: "wsabi.in-turn", text))
    return !CaptureCheck.isPoor(result, minimumQuality: run.minimumQuality)
  }

  private static func items(_ call: CommandCall, _ records: RecordStore) async throws -> [BiometricItem] {
    if let id = call[item] {
      if call[person] != nil || call[all] || call[missing] { throw StationError.itemAndPerson(item: id) }
      return [try await records.item(id)]
    }
    guard let person = call[person] else { throw StationError.nothingToCapture }
    guard call[all] || call[missing] else { throw StationError.whichItems(person: person) }
    let items = try await records.items(of: person)
    guard call[missing] else { return items }
    return items.filter(\.isOpen)
  }

  /// Releases the sessions of sensors that no other task in this process uses.
  ///
  /// - Returns: The sensors whose lock could not be released.
  private static func leave(_ items: [BiometricItem], _ links: LinkManager) async -> [SensorAddress] {
    let addresses = Set(items.compactMap { try? $0.device.sensorAddress() })
    let busy = Set(links.operations.filter(\.needsSession).map(\.address))
    return await withTaskGroup(of: SensorAddress?.self) { group in
      for address in addresses.subtracting(busy) {
        group.addTask { await links.disconnect(address) ? nil : address }
      }
      return await group.reduce(into: []) { if let address = $1 { $0.append(address) } }.sorted { $0.text < $1.text }
    }
  }
}

extension CapturedRun {
  fileprivate init(
    _ results: [CaptureRun.Result], _ warnings: [CaptureWarning], _ steps: [CaptureStep], milliseconds: Double
  ) {
    let items = results.map { result in
      CapturedItem(
        report: result.report, item: result.item, warnings: warnings.filter { $0.item == result.item.id },
        address: result.item.device.address, attempts: result.attempts, milliseconds: result.milliseconds)
    }
    self.init(items: items, steps: steps, milliseconds: milliseconds)
  }
}

extension CapturedItem {
  /// Creates the result of a capture, with its problem.
  init(
    report: CaptureReport, item: BiometricItem, warnings: [CaptureWarning], address: String, attempts: Int,
    milliseconds: Double
  ) {
    let problem = CaptureProblem(report, item: item.id, at: address)
    self.init(
      report: report, item: item, warnings: warnings, outcome: problem?.outcome ?? .stored,
      message: problem?.report.message ?? "", address: address, attempts: attempts, milliseconds: milliseconds)
  }
}

/// A collector of the steps of captures, which also reports them as progress.
private final class StepTrace: Sendable {
  private let station: Station
  private let stopwatch = Stopwatch()
  private let state: Mutex<(steps: [CaptureStep], number: Int)> = Mutex(([], 0))

  /// - Parameter call: Receives each step as progress, which a trace of the host records.
  init(_ station: Station, _ call: CommandCall) {
    self.station = station
    let number = station.watch { [weak self] note in self?.take(note, call) }
    state.withLock { $0.number = number }
  }

  private func take(_ note: LinkNote, _ call: CommandCall) {
    guard case .stepped(let address, let step, let status) = note else {
      if let text = Self.text(note) { call.report(Progress(text)) }
      return
    }
    let taken = CaptureStep(
      milliseconds: stopwatch.milliseconds, address: address, operation: step.operation, status: status)
    state.withLock { $0.steps.append(taken) }
    call.report(Progress("\(address.text): \(step.operation.words)" + (status.map { " – \($0.word)" } ?? "")))
  }

  private static func text(_ note: LinkNote) -> String? {
    switch note {
    case .waiting(let item, _, let status, _): "item \(item): waiting (\(status.word))"
    case .captured(let item, _, let ids): "item \(item): captured, \(ids.count) to download"
    case .stored(let item, let record): "item \(item): stored \(record.sizeInBytes) bytes"
    case .connected, .stepped, .capturing, .held, .lost, .prepared, .ended, .trouble, .stolen, .leftLock, .lockKept: nil
    }
  }

  /// Ends it; returns the steps so far and the time since the beginning, in milliseconds.
  func end() -> (steps: [CaptureStep], milliseconds: Double) {
    let (steps, number) = state.withLock { $0 }
    station.unwatch(number)
    return (steps, stopwatch.milliseconds)
  }
}
