import Glibc
import PluginAPI
import Synchronization

/// The shards that the workers of this process still have to do.
///
/// A shard in work is locked, so that workers of several processes share the run. The lock only saves work: without
/// one, as on some file systems, two workers run the same items and write equal records.
final class ShardClaims: Sendable {
  /// A locked shard.
  struct Claim: Sendable {
    let shard: Int
    fileprivate let descriptor: Int32

    /// Unlocks the shard; called once.
    func release() {
      flock(descriptor, LOCK_UN)
      close(descriptor)
    }
  }

  private let folder: RunFolder
  private let stop: StopFlag
  private let order: Mutex<ClaimOrder>

  init(_ shards: some Sequence<Int>, of folder: RunFolder, stop: StopFlag) {
    (self.folder, self.stop) = (folder, stop)
    order = Mutex(ClaimOrder(shards))
  }

  /// Returns the next shard, and waits for those of other processes: they may be lost.
  ///
  /// - Returns: nil if all are done, or the workers shall stop.
  func next(_ progress: any WorkProgress) throws -> Claim? {
    while true {
      try progress.checkCancellation()
      if stop.isSet || folder.isCanceled { return nil }
      if let shard = order.withLock({ $0.next() }) {
        if let claim = try Self.claim(shard, of: folder) { return claim }
        order.withLock { $0.postpone(shard) }
      } else if order.withLock({ $0.reconsider() }) {
        poll(nil, 0, 200)
      } else {
        return nil
      }
    }
  }

  /// Locks a shard; nil if another worker has it.
  static func claim(_ shard: Int, of folder: RunFolder) throws -> Claim? {
    let descriptor = try open(shard, of: folder)
    if flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
      close(descriptor)
      return nil
    }
    return Claim(shard: shard, descriptor: descriptor)
  }

  /// Returns true if a worker has a shard.
  ///
  /// The lock for the test is shared, so that processes that examine a run do not mistake each other for workers.
  static func isLocked(_ shard: Int, of folder: RunFolder) throws -> Bool {
    let descriptor = try open(shard, of: folder)
    defer { close(descriptor) }
    return flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK
  }

  private static func open(_ shard: Int, of folder: RunFolder) throws -> Int32 {
    let path = folder.shard(shard)
    // NFS locks only files that are open for writing.
    return try (try? HostFile.open(path, O_RDWR)) ?? HostFile.open(path, O_RDONLY)
  }
}
