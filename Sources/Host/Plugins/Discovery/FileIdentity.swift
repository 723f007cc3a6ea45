import Glibc

/// The identity of a file's state, which detects changes without reading the file.
struct FileIdentity: Sendable, Hashable {
  var device: UInt64
  var inode: UInt64
  var size: Int
  /// The modification time of the content, in nanoseconds since 1970.
  var modified: Int
  /// The time of the last change of content, owner or mode, in nanoseconds since 1970; no program can set it.
  var changed: Int

  init(_ status: stat) {
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
    size = Int(status.st_size)
    modified = Int(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int(status.st_mtim.tv_nsec)
    changed = Int(status.st_ctim.tv_sec) &* 1_000_000_000 &+ Int(status.st_ctim.tv_nsec)
  }

  init(device: UInt64, inode: UInt64, size: Int, modified: Int, changed: Int) {
    (self.device, self.inode) = (device, inode)
    (self.size, self.modified, self.changed) = (size, modified, changed)
  }

  /// Creates the identity of the file at a path, following links; nil if nothing exists there.
  init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  /// Creates an identity from its numbers.
  init?(numbers: [Int]) {
    guard numbers.count == 5 else { return nil }
    device = UInt64(bitPattern: Int64(numbers[0]))
    inode = UInt64(bitPattern: Int64(numbers[1]))
    (size, modified, changed) = (numbers[2], numbers[3], numbers[4])
  }

  /// The numbers, in a fixed order.
  var numbers: [Int] {
    [Int(Int64(bitPattern: device)), Int(Int64(bitPattern: inode)), size, modified, changed]
  }
}
