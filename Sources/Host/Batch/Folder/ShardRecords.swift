import Glibc
import PluginAPI

/// The records of a shard's items in the logs of all attempts.
///
/// Every item has one valid record. Copies must be equal: two attempts may have run an item, as no file system and no
/// scheduler promises that a lost worker is dead. A value takes precedence over a transient error, such as a timeout.
struct ShardRecords {
  /// The location of a record's document, in few bytes: there is one for each item of a shard.
  struct Stored: Equatable {
    fileprivate let kind: Kind
    var offset: Int
    var count: Int

    var log: String { kind.log }
    /// The code of an error; nil for a value.
    var code: String? { kind.code }
    /// A Boolean value indicating whether another attempt may not have the error.
    var isTransient: Bool { kind.isTransient }

    static func == (one: Stored, other: Stored) -> Bool {
      one.kind.isEqual(to: other.kind) && one.offset == other.offset && one.count == other.count
    }
  }

  /// The facts that many records of a log share.
  fileprivate final class Kind: Sendable {
    let log: String
    let code: String?
    let isTransient: Bool

    init(log: String, code: String? = nil, isTransient: Bool = false) {
      (self.log, self.code, self.isTransient) = (log, code, isTransient)
    }

    func isEqual(to other: Kind) -> Bool {
      log == other.log && code == other.code && isTransient == other.isTransient
    }
  }

  /// The valid record of each item.
  private(set) var stored: [Int: Stored] = [:]
  /// The items with records that should be equal and are not.
  private(set) var differing: [Int: (Stored, Stored)] = [:]
  /// The items that were running when an attempt was lost, with the number of losses after a minute or more.
  private(set) var suspects: [Int: Int] = [:]
  /// The number of torn or damaged lines.
  private(set) var damagedLines = 0
  /// The number of attempts that did not end on their own.
  private(set) var openAttempts = 0
  /// The records of one open attempt, and its seconds.
  private(set) var pace: (records: Int, seconds: Double)?
  private let folder: RunFolder

  /// The time after whose loss an item is suspected to be the cause, in seconds.
  static let longLoss = 60.0

  /// Reads logs.
  ///
  /// - Parameters:
  ///   - logs: The names of the logs, sorted.
  ///   - retries: The records that no longer count.
  init(of folder: RunFolder, logs: [String], retries: RetryNotes) throws {
    self.folder = folder
    for log in logs { try read(log, without: retries.items(of: log)) }
    suspects = suspects.filter { stored[$0.key] == nil }
  }

  private mutating func read(_ log: String, without voided: Set<Int>) throws {
    var isEnded = false
    var running: (item: Int, seconds: Double)?
    var (seconds, count) = (0.0, 0)
    let value = Kind(log: log)
    var errors: [String: Kind] = [:]
    damagedLines += try LogFrame.read(folder.log(log)) { offset, document in
      guard let entry = LogEntry(document) else { return }
      switch entry {
      case .start: break
      case .begin(let item, let time):
        running = (item, time)
        seconds = max(seconds, time)
      case .heartbeat(let time): seconds = max(seconds, time)
      case .end: isEnded = true
      case .value(let item), .error(let item, _, _):
        if running?.item == item { running = nil }
        count += 1
        guard !voided.contains(item) else { return }
        var kind = value
        if case .error(_, let code, let isTransient) = entry {
          kind =
            errors[code].flatMap { $0.isTransient == isTransient ? $0 : nil }
            ?? Kind(log: log, code: code, isTransient: isTransient)
          errors[code] = kind
        }
        try add(Stored(kind: kind, offset: offset, count: document.count), item)
      }
    }
    guard !isEnded else { return }
    openAttempts += 1
    pace = (count, seconds)
    if let running, !voided.contains(running.item) {
      suspects[running.item, default: 0] += seconds - running.seconds >= Self.longLoss ? 1 : 0
    }
  }

  private mutating func add(_ new: Stored, _ item: Int) throws {
    guard let old = stored[item] else {
      stored[item] = new
      return
    }
    switch (old.isTransient, new.isTransient) {
    case (true, false): stored[item] = new
    case (_, true): break
    case (false, false):
      guard try Self.comparable(old, folder) != Self.comparable(new, folder) else { return }
      differing[item] = (old, new)
    }
  }

  /// Returns the document of a record.
  static func document(_ stored: Stored, _ folder: RunFolder) throws -> [UInt8] {
    let path = folder.log(stored.log)
    let descriptor = try HostFile.open(path, O_RDONLY)
    defer { close(descriptor) }
    return try HostFile.read(descriptor, at: stored.offset, count: stored.count, named: path)
  }

  /// Returns the part of a record that is equal in all attempts.
  static func comparable(_ stored: Stored, _ folder: RunFolder) throws -> [UInt8] {
    guard let part = ItemRecord.comparable(try document(stored, folder)[...]) else {
      throw BatchError.brokenRun("'\(folder.log(stored.log))' changed while it was read", advice: "try again")
    }
    return part
  }
}

/// The notes of `batch retry`: records in certain logs that no longer count.
struct RetryNotes: Equatable {
  private var voided: [String: Set<Int>] = [:]
  /// The number of notes.
  private(set) var count = 0

  init(of folder: RunFolder) throws {
    for name in HostFile.names(in: folder.retries) where name.hasSuffix(".json") {
      let path = folder.retries + "/" + name
      guard let value = try? JSONReader.read(try HostFile.read(path)), let items = value["items"].list,
        let logs = value["logs"].list
      else { throw BatchError.brokenRun("'\(path)' is not a note of 'batch retry'", advice: "remove the file") }
      let numbers = Set(items.compactMap(\.integer))
      for log in logs.compactMap(\.text) { voided[log, default: []].formUnion(numbers) }
      count += 1
    }
  }

  /// Returns the items whose records in a log no longer count.
  func items(of log: String) -> Set<Int> { voided[log] ?? [] }

  /// Adds a note: the records of these items no longer count in the logs there are now.
  static func add(items: [Int], logs: [String], to folder: RunFolder) throws {
    let note: Value = ["items": .list(items.map(Value.integer)), "logs": .list(logs.map(Value.text))]
    let path = folder.retries + "/" + RunFolder.uniqueName() + ".json"
    try HostFile.write(JSONWriter.bytes(of: note), to: path, makesFolder: true)
  }
}
