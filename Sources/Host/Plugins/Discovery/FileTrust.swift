internal import CHost
import Glibc
import PluginAPI

/// Checks that only the user and root can change a file, and reads it without being redirected.
enum FileTrust {
  /// The maximum number of bytes a plugin library may have.
  static let largest = 512 << 20

  /// Checks a folder and every folder above it, along the path as written and as it resolves.
  ///
  /// - Parameter insideChecked: True if the folder is not a link and those above it were just checked.
  static func checkFolder(_ path: String, insideChecked: Bool = false) throws(ErrorReport) {
    if insideChecked {
      var status = stat()
      guard lstat(path, &status) == 0 else { throw PluginRefusal.unreadable(path: path, FilePath.lastError) }
      try checkOwner(path, status)
      return try checkMode(path, status)
    }
    let written = FilePath.absolute(path)
    guard let real = FilePath.real(written) else {
      throw PluginRefusal.unreadable(path: path, FilePath.lastError)
    }
    try checkComponents(written)
    if real != written { try checkComponents(real) }
  }

  private static func checkComponents(_ path: String) throws(ErrorReport) {
    var component = path
    while true {
      var status = stat()
      guard lstat(component, &status) == 0 else { throw PluginRefusal.unreadable(path: component, FilePath.lastError) }
      try checkOwner(component, status)
      let isLink = status.st_mode & S_IFMT == S_IFLNK
      let isSharedButSticky = status.st_uid == 0 && status.st_mode & S_ISVTX != 0
      if !isLink, !isSharedButSticky { try checkMode(component, status) }
      if component == "/" { return }
      component = FilePath.folder(of: component)
    }
  }

  private static func checkOwner(_ path: String, _ status: stat) throws(ErrorReport) {
    guard status.st_uid == 0 || status.st_uid == geteuid() else {
      throw PluginRefusal.unsafe(
        path: path, reason: "belongs to another user",
        command: "sudo chown \(geteuid()) \(FilePath.quoted(path))")
    }
  }

  /// Returns a Boolean value indicating whether a file's mode lets others than its owner write to it.
  static func othersCanWrite(_ status: stat) -> Bool {
    status.st_mode & S_IWOTH != 0 || status.st_mode & S_IWGRP != 0 && !PrivateGroup.isUsers(status.st_gid)
  }

  private static func checkMode(_ path: String, _ status: stat) throws(ErrorReport) {
    guard !othersCanWrite(status) else {
      throw PluginRefusal.unsafe(
        path: path, reason: "is writable by other users", command: "chmod go-w \(FilePath.quoted(path))")
    }
  }

  /// Checks that a path names a regular file that only the user and root can write, without opening it.
  ///
  /// - Parameter isTrusted: True if owner and mode do not matter, because the program itself is there.
  static func checkFile(_ path: String, isTrusted: Bool = false) throws(ErrorReport) -> FileIdentity {
    var status = stat()
    guard lstat(path, &status) == 0 else { throw PluginRefusal.unreadable(path: path, FilePath.lastError) }
    try check(path, status, isTrusted: isTrusted)
    return FileIdentity(status)
  }

  private static func check(_ path: String, _ status: stat, isTrusted: Bool) throws(ErrorReport) {
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw PluginRefusal.notRegular(path: path, kind: kind(of: status.st_mode))
    }
    if !isTrusted {
      try checkOwner(path, status)
      try checkMode(path, status)
    }
    guard status.st_size <= largest else {
      throw PluginRefusal.tooLarge(path: path, bytes: Int(status.st_size), limit: largest)
    }
  }

  /// Reads a file that has passed ``checkFile(_:isTrusted:)``, and checks it again while it is open.
  ///
  /// - Parameters:
  ///   - start: The offset in bytes to read from.
  ///   - limit: The maximum number of bytes to read; nil for the rest of the file.
  static func read(
    _ path: String, isTrusted: Bool = false, from start: Int = 0, limit: Int? = nil
  ) throws(ErrorReport) -> (bytes: [UInt8], FileIdentity) {
    let descriptor = chost_open_file(path)
    guard descriptor >= 0 else { throw PluginRefusal.unreadable(path: path, FilePath.lastError) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw PluginRefusal.unreadable(path: path, FilePath.lastError) }
    try check(path, status, isTrusted: isTrusted)
    let remaining = max(0, Int(status.st_size) - start)
    let size = min(limit ?? remaining, remaining)
    var isWhole = true
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      while count < size {
        let got = pread(descriptor, buffer.baseAddress.map { $0 + count }, size - count, start + count)
        if got <= 0 { break }
        count += got
      }
      isWhole = count == size
    }
    guard isWhole else { throw PluginRefusal.unreadable(path: path, "it was truncated while it was read") }
    return (bytes, FileIdentity(status))
  }

  private static func kind(of mode: mode_t) -> String {
    switch mode & S_IFMT {
    case S_IFDIR: "a folder"
    case S_IFLNK: "a symbolic link"
    case S_IFIFO: "a pipe"
    case S_IFSOCK: "a socket"
    case S_IFCHR, S_IFBLK: "a device"
    default: "not a file"
    }
  }
}

/// The private group that some systems make for each user, with the user's name and no other members.
///
/// Debian, Ubuntu and Fedora make them: there the standard umask is 002 and every new file can be written by
/// the group.
private enum PrivateGroup {
  /// Returns a Boolean value indicating whether a group is the private group of the user of this process.
  ///
  /// Other users with this primary group are not searched for: systems with private groups do not assign it to others.
  static func isUsers(_ group: gid_t) -> Bool { group == own }

  /// The private group of the user; nil for none.
  ///
  /// Looked up once, as the databases may be on the network.
  private static let own: gid_t? = {
    guard let user = Account(geteuid()), let found = group(user.group), found.name == user.name,
      found.members.allSatisfy({ $0 == user.name })
    else { return nil }
    return user.group
  }()

  /// Reads the name and the members of a group; nil too if there are more members than the buffer holds.
  private static func group(_ id: gid_t) -> (name: String, members: [String])? {
    var entry = Glibc.group()
    var buffer = [CChar](repeating: 0, count: bufferSize)
    var found: UnsafeMutablePointer<Glibc.group>?
    guard getgrgid_r(id, &entry, &buffer, buffer.count, &found) == 0, found != nil, let name = entry.gr_name else {
      return nil
    }
    var members: [String] = []
    var next = entry.gr_mem
    while let member = next?.pointee {
      members.append(String(cString: member))
      next = next?.advanced(by: 1)
    }
    return (String(cString: name), members)
  }

  private static let bufferSize = 16 << 10
}

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

/// Functions on the text of a path, and on its links in the file system.
enum FilePath {
  /// Returns the path without its last component; `/` has itself.
  static func folder(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// Returns the last component.
  static func name(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return path }
    return String(path[path.utf8.index(after: slash)...])
  }

  /// Returns the target of a symbolic link; nil if the path is not a link.
  static func linkTarget(_ path: String) -> String? {
    var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = buffer.withUnsafeMutableBytes { raw in
      raw.withMemoryRebound(to: CChar.self) { text in text.baseAddress.map { readlink(path, $0, text.count) } ?? -1 }
    }
    return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
  }

  /// Returns the absolute path without links, `.` and `..`; nil if nothing exists there.
  static func real(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// Returns the absolute path without `.` and `..`; links are not resolved.
  static func absolute(_ path: String) -> String {
    var parts: [Substring] = []
    for part in HostFile.absolute(path).split(separator: "/") where part != "." {
      if part == ".." { _ = parts.popLast() } else { parts.append(part) }
    }
    return "/" + parts.joined(separator: "/")
  }

  /// Returns the path as a word of a shell command.
  static func quoted(_ path: String) -> String {
    let isPlain = path.utf8.allSatisfy {
      (0x61...0x7A).contains($0) || (0x41...0x5A).contains($0) || (0x2B...0x3A).contains($0) || $0 == 0x5F
    }
    return isPlain
      ? path : "'" + path.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
  }

  /// The system's message for the last error.
  static var lastError: String { String(cString: strerror(errno)) }
}
