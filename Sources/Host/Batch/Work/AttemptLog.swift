import Glibc
import PluginAPI

/// The log of one attempt at a shard, which no other process writes.
///
/// Records are on the disk after 64 of them or a second; those of a killed process are in the file anyway.
final class AttemptLog {
  private static let recordsBetweenSyncs = 64
  private static let secondsBetweenSyncs = 1.0
  private static let secondsBetweenHeartbeats = 10.0

  /// The name of the file.
  let name: String
  private let path: String
  private let descriptor: Int32
  private let open: OpenLogs
  private let start = MonotonicClock.seconds
  private var unsyncedRecords = 0
  private var lastSync: Double
  private var lastEntry: Double

  /// Makes the log.
  ///
  /// - Parameter open: Has the log until it is closed.
  init(of shard: Int, in folder: RunFolder, run: String, _ open: OpenLogs) throws(HostFileError) {
    self.open = open
    name = RunFolder.newLog(of: shard)
    path = folder.log(name)
    descriptor = try HostFile.open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND)
    (lastSync, lastEntry) = (start, start)
    open.add(descriptor)
    HostFile.synchronize(folder: folder.attempts)
    do throws(HostFileError) {
      try write(Self.start(ofRun: run))
    } catch {
      close()
      throw error
    }
  }

  /// Writes a whole log in one step: records of a shard's items that ran when the run was planned.
  static func write(_ lines: [[UInt8]], of shard: Int, in folder: RunFolder, run: String) throws(HostFileError) {
    let documents: [Value] = [start(ofRun: run), ["kind": "end", "cause": "planned"]]
    let frame = documents.map { LogFrame.line(JSONWriter.bytes(of: $0)) }
    let bytes = frame[0] + lines.flatMap(\.self) + frame[1]
    try HostFile.write(bytes, to: folder.log(RunFolder.planLog(of: shard)))
  }

  /// Returns the first document of a log.
  private static func start(ofRun run: String) -> Value {
    [
      "kind": "start", "run": .text(run), "host": .text(hostName), "process": .integer(Int(getpid())),
      "version": .text(HostVersion.number),
    ]
  }

  private static var hostName: String {
    var name = [CChar](repeating: 0, count: 256)
    guard gethostname(&name, name.count - 1) == 0 else { return "" }
    return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Notes that an item is about to run.
  ///
  /// - Parameter isSynced: True if the note must be on the disk before it does.
  func begin(_ item: Int, isSynced: Bool) throws(HostFileError) {
    try write(beginning(item))
    if isSynced { try synchronize() }
  }

  private func beginning(_ item: Int) -> [UInt8] {
    LogFrame.line(
      JSONWriter.bytes(of: ["kind": "begin", "item": .integer(item), "seconds": .number(elapsed)]))
  }

  /// Adds the record of an item, a line of ``LogFrame``.
  ///
  /// - Parameter next: The item that runs now, noted in the same step; nil for none.
  func add(_ line: some Collection<UInt8>, next: Int? = nil) throws(HostFileError) {
    try write(Array(line) + (next.map(beginning) ?? []))
    unsyncedRecords += 1
    let isDue = MonotonicClock.seconds - lastSync >= Self.secondsBetweenSyncs
    if isDue || unsyncedRecords >= Self.recordsBetweenSyncs { try synchronize() }
  }

  /// Shows that the attempt is alive, and puts records on the disk that wait for it; called while an item runs.
  func beat() throws(HostFileError) {
    let now = MonotonicClock.seconds
    if unsyncedRecords > 0, now - lastSync >= Self.secondsBetweenSyncs { try synchronize() }
    guard now - lastEntry >= Self.secondsBetweenHeartbeats else { return }
    try write(["kind": "heartbeat", "seconds": .number(elapsed)])
  }

  /// Ends the log.
  ///
  /// - Parameter cause: The reason: `done`, `stopped` by a signal, `canceled` or `failed`.
  func end(_ cause: String) throws(HostFileError) {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_CHILDREN.rawValue), &usage)
    let cpu = Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
    try write(["kind": "end", "cause": .text(cause), "seconds": .number(elapsed), "cpuSecondsOfChildren": .number(cpu)])
    try synchronize()
  }

  /// Seconds since the start, to the millisecond.
  private var elapsed: Double { ((MonotonicClock.seconds - start) * 1000).rounded() / 1000 }

  private func write(_ entry: Value) throws(HostFileError) { try write(LogFrame.line(JSONWriter.bytes(of: entry))) }

  private func write(_ line: [UInt8]) throws(HostFileError) {
    let failure = HostFile.writeAll(line, to: descriptor)
    if failure != 0 { throw .cannot(.write, path, code: failure) }
    lastEntry = MonotonicClock.seconds
  }

  private func synchronize() throws(HostFileError) {
    try HostFile.synchronize(descriptor, named: path)
    unsyncedRecords = 0
    lastSync = MonotonicClock.seconds
  }

  /// Closes the file; called once.
  func close() {
    open.remove(descriptor)
    Glibc.close(descriptor)
  }
}
