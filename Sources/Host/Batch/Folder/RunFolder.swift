import Glibc
import PluginAPI

/// The files of a run.
///
/// The folder is the only source of truth about the run: no other file or process knows more.
/// - `run.json`: the plan, written last and never changed
/// - `shards/00017.jsonl`: the items of a shard
/// - `stores/<plugin>/<store>`: backups of the stores in which ids of the items are looked up;
///   `stores/<plugin>/<store>.shared`: the address of one in a shared database
/// - `attempts/00017.<name>.log`: the log of one attempt at a shard, with a single writer
/// - `attempts/00017.plan.log`: the records of items that ran while the run was planned
/// - `done/00017.json`: a hint that a shard is done
/// - `files/00017/`: pictures of the items from 17000 to 17999
/// - `retries/<name>.json`: records that no longer count
/// - `jobs/<n>.json`: the note of a batch system's job, written before and after its submission; `jobs/<n>.sh`: its
///   script; `jobs/<n>.<task>.txt`: its output; `jobs/<n>.gathered.json`: the outcome of gathering in it
/// - `cancel`: workers stop at the next item
struct RunFolder: Sendable, Hashable {
  /// The absolute path.
  let path: String
  /// The path as the user gave it, for messages.
  let name: String

  init(_ name: String) {
    self.name = name
    path = FilePath.absolute(name)
  }

  var plan: String { path + "/run.json" }
  var list: String { path + "/" + Self.listName }
  var shards: String { path + "/shards" }
  var stores: String { path + "/stores" }
  var attempts: String { path + "/attempts" }
  var done: String { path + "/done" }
  var files: String { path + "/files" }
  var retries: String { path + "/retries" }
  var jobs: String { path + "/jobs" }
  var cancel: String { path + "/cancel" }

  /// The names of all entries that a run makes in its folder; the plan, which makes it a run, is last.
  static let entries = ["cancel", "jobs", "retries", "done", "files", "attempts", "stores", "shards", "run.json"]

  /// The list of the items: the first file of a plan that is being made, and the last to be removed.
  static let listName = "items.new"

  /// Returns true for the name of a file of a plan that is being made, or whose process was killed.
  static func isDraft(_ name: String) -> Bool { name == listName || name.hasPrefix("run.json.") }

  /// Removes the files of a plan that is made, or that another process did not finish.
  func removeDrafts() throws(HostFileError) {
    for name in HostFile.names(in: path) where Self.isDraft(name) && name != Self.listName {
      try HostFile.remove(path + "/" + name)
    }
    try HostFile.remove(list)
  }

  func shard(_ shard: Int) -> String { shards + "/" + Self.digits(shard) + ".jsonl" }
  func marker(_ shard: Int) -> String { done + "/" + Self.digits(shard) + ".json" }
  func gatherNote(_ job: Int) -> String { jobs + "/\(job).gathered.json" }
  func log(_ name: String) -> String { attempts + "/" + name }

  /// The file for the picture of an item, relative to the run's folder.
  ///
  /// Its record has this path, so it does not depend on the shards. A folder has the pictures of a thousand items.
  static func picture(of item: Int) -> String { "files/\(digits(item / 1000))/\(item)\(pictureSuffix)" }

  /// The file for a frame of an animation, counted from 1, such as `files/00000/17-1.png`.
  static func frame(_ number: Int, of picture: String) -> String {
    picture.dropLast(pictureSuffix.count) + "-\(number)" + pictureSuffix
  }

  private static let pictureSuffix = ".png"

  /// Returns the name of a new log, which no other attempt has.
  static func newLog(of shard: Int) -> String { digits(shard) + "." + uniqueName() + ".log" }

  /// Returns the name of the log with the items of a shard that ran when the run was planned.
  static func planLog(of shard: Int) -> String { digits(shard) + planLogSuffix }

  static func isPlanLog(_ name: String) -> Bool { name.hasSuffix(planLogSuffix) }

  private static let planLogSuffix = ".plan.log"

  /// A Boolean value indicating whether workers are asked to stop.
  var isCanceled: Bool { access(cancel, F_OK) == 0 }

  /// Returns the names of the logs of each shard, sorted.
  func logs() -> [Int: [String]] {
    var logs: [Int: [String]] = [:]
    for name in HostFile.names(in: attempts) where name.hasSuffix(".log") {
      guard let shard = Int(name.prefix { $0 != "." }) else { continue }
      logs[shard, default: []].append(name)
    }
    return logs.mapValues { $0.sorted() }
  }

  /// Returns a unique name of 32 hexadecimal digits.
  static func uniqueName() -> String {
    var random = SystemRandomNumberGenerator()
    return (0..<2).map { _ in
      let digits = String(random.next() as UInt64, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }

  private static func digits(_ number: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, 5 - digits.count)) + digits
  }
}

extension RunFolder {
  /// Writes the marker of a shard that is done; of two workers at once, the first wins.
  func mark(_ shard: Int, _ value: Value) throws(HostFileError) {
    let draft = done + "/" + Self.uniqueName() + ".new"
    try HostFile.write(JSONWriter.bytes(of: value), to: draft, makesFolder: true)
    _ = link(draft, marker(shard))
    unlink(draft)
  }
}
