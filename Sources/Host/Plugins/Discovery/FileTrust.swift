internal import CHost
import Glibc

/// Checks that only the user and root can change a file, and reads it without being redirected.
enum FileTrust {
  /// The most bytes a plugin library may have.
  static let largest = 512 << 20

  /// Checks a folder and every folder above it, along the path as written and as it resolves.
  ///
  /// - Parameter insideChecked: True if the folder is not a link and those above it were just checked.
  static func checkFolder(_ path: String, insideChecked: Bool = false) throws(PluginRefusal) {
    if insideChecked {
      var status = stat()
      guard lstat(path, &status) == 0 else { throw .unreadable(path: path, FilePath.lastError) }
      try checkOwner(path, status)
      return try checkMode(path, status)
    }
    let written = FilePath.absolute(path)
    guard let real = FilePath.real(written) else {
      throw .unreadable(path: path, FilePath.lastError)
    }
    try checkComponents(written)
    if real != written { try checkComponents(real) }
  }

  private static func checkComponents(_ path: String) throws(PluginRefusal) {
    var component = path
    while true {
      var status = stat()
      guard lstat(component, &status) == 0 else { throw .unreadable(path: component, FilePath.lastError) }
      try checkOwner(component, status)
      let isLink = status.st_mode & S_IFMT == S_IFLNK
      let isSharedButSticky = status.st_uid == 0 && status.st_mode & S_ISVTX != 0
      if !isLink, !isSharedButSticky { try checkMode(component, status) }
      if component == "/" { return }
      component = FilePath.folder(of: component)
    }
  }

  private static func checkOwner(_ path: String, _ status: stat) throws(PluginRefusal) {
    guard status.st_uid == 0 || status.st_uid == geteuid() else {
      throw .unsafe(
        path: path, reason: "belongs to another user",
        command: "sudo chown \(geteuid()) \(FilePath.quoted(path))")
    }
  }

  /// Returns a Boolean value indicating whether a file's mode lets others than its owner write to it.
  static func othersCanWrite(_ status: stat) -> Bool {
    status.st_mode & S_IWOTH != 0 || status.st_mode & S_IWGRP != 0 && !PrivateGroup.isUsers(status.st_gid)
  }

  private static func checkMode(_ path: String, _ status: stat) throws(PluginRefusal) {
    guard !othersCanWrite(status) else {
      throw .unsafe(
        path: path, reason: "is writable by other users", command: "chmod go-w \(FilePath.quoted(path))")
    }
  }

  /// Checks that a path names a regular file that only the user and root can write, without opening it.
  ///
  /// - Parameter isTrusted: True if owner and mode do not matter, because the program itself is there.
  static func checkFile(_ path: String, isTrusted: Bool = false) throws(PluginRefusal) -> FileIdentity {
    var status = stat()
    guard lstat(path, &status) == 0 else { throw .unreadable(path: path, FilePath.lastError) }
    try check(path, status, isTrusted: isTrusted)
    return FileIdentity(status)
  }

  private static func check(_ path: String, _ status: stat, isTrusted: Bool) throws(PluginRefusal) {
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw .notRegular(path: path, kind: kind(of: status.st_mode))
    }
    if !isTrusted {
      try checkOwner(path, status)
      try checkMode(path, status)
    }
    guard status.st_size <= largest else {
      throw .tooLarge(path: path, bytes: Int(status.st_size), limit: largest)
    }
  }

  /// Reads a file that has passed ``checkFile(_:isTrusted:)``, and checks it again while it is open.
  ///
  /// - Parameters:
  ///   - start: The offset in bytes to read from.
  ///   - limit: The most bytes to read; nil for the rest of the file.
  static func read(
    _ path: String, isTrusted: Bool = false, from start: Int = 0, limit: Int? = nil
  ) throws(PluginRefusal) -> (bytes: [UInt8], FileIdentity) {
    let descriptor = chost_open_file(path)
    guard descriptor >= 0 else { throw .unreadable(path: path, FilePath.lastError) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .unreadable(path: path, FilePath.lastError) }
    try check(path, status, isTrusted: isTrusted)
    let rest = max(0, Int(status.st_size) - start)
    let size = min(limit ?? rest, rest)
    var isWhole = true
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      while count < size {
        let got = pread(descriptor, buffer.baseAddress.map { $0 + count }, size - count, start + count)
        if got <= 0 { break }
        count += got
      }
      isWhole = count == size
    }
    guard isWhole else { throw .unreadable(path: path, "it was truncated while it was read") }
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
