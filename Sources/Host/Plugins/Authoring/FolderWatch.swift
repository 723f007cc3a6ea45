import Glibc
import Synchronization

/// A watch for changes of the files in a folder and those below, by inotify.
///
/// Hidden files, caches of Python, packages and backup copies of editors are left out.
final class FolderWatch: Sendable {
  /// The most folders that are watched.
  private static let mostFolders = 2000
  /// The time without a change after which a set of changes is complete: editors write in several steps.
  private static let quietInMilliseconds: Int32 = 60
  private static let mask =
    UInt32(IN_CLOSE_WRITE) | UInt32(IN_MOVED_TO) | UInt32(IN_MOVED_FROM) | UInt32(IN_CREATE) | UInt32(IN_DELETE)

  private let notifications: Int32
  /// A pipe, which is readable once the watch was ended.
  private let ending: (read: Int32, write: Int32)
  private let folder: String
  /// The watched folders by the number of their watch.
  private let folders = Mutex<[Int32: String]>([:])

  /// Begins to watch a folder.
  init(_ folder: String) throws(AuthorError) {
    self.folder = folder
    notifications = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
    var ends: [Int32] = [-1, -1]
    let failure = pipe(&ends) == 0 ? nil : FilePath.lastError
    for end in ends where end >= 0 { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    ending = (ends[0], ends[1])
    guard notifications >= 0, failure == nil else {
      throw .cannotWatch(folder, reason: failure ?? "the limit of watches is reached")
    }
    if let failure = add(folder) { throw .cannotWatch(folder, reason: failure) }
  }

  deinit {
    for descriptor in [notifications, ending.read, ending.write] where descriptor >= 0 { close(descriptor) }
  }

  /// The watched folders, sorted.
  var watchedFolders: [String] { folders.withLock { $0.values.sorted() } }

  /// Ends the watch: ``next()`` returns false from now on.
  func end() {
    var byte: UInt8 = 0
    _ = Glibc.write(ending.write, &byte, 1)
  }

  /// Blocks the thread until files have changed and are left alone for a moment.
  ///
  /// - Returns: False once the watch was ended.
  func next() -> Bool {
    var hasChanged = false
    while true {
      var watched = [
        pollfd(fd: notifications, events: Int16(POLLIN), revents: 0),
        pollfd(fd: ending.read, events: Int16(POLLIN), revents: 0),
      ]
      let count = poll(&watched, 2, hasChanged ? Self.quietInMilliseconds : -1)
      if count < 0, errno != EINTR { return false }
      if watched[1].revents != 0 { return false }
      if count == 0 { return true }
      if watched[0].revents != 0, takeEvents() { hasChanged = true }
    }
  }

  /// Reads the events that there are.
  ///
  /// - Returns: True if one is about a file of the plugin.
  private func takeEvents() -> Bool {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    var hasChanged = false
    while true {
      let count = read(notifications, &buffer, buffer.count)
      if count <= 0 { return hasChanged }
      var offset = 0
      while offset + MemoryLayout<inotify_event>.size <= count {
        let event = buffer.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: inotify_event.self) }
        let start = offset + MemoryLayout<inotify_event>.size
        let end = min(start + Int(event.len), count)
        if take(event, name: String(decoding: buffer[start..<end].prefix { $0 != 0 }, as: UTF8.self)) {
          hasChanged = true
        }
        offset = end
      }
    }
  }

  private func take(_ event: inotify_event, name: String) -> Bool {
    // Events were lost: something changed.
    if event.mask & UInt32(IN_Q_OVERFLOW) != 0 { return true }
    guard Self.isWatched(name) else { return false }
    let isFolder = event.mask & UInt32(IN_ISDIR) != 0
    if event.mask & UInt32(IN_CREATE) != 0 {
      // The content of a new file follows.
      guard isFolder else { return false }
    }
    if isFolder, let parent = folders.withLock({ $0[event.wd] }) { _ = add(parent + "/" + name) }
    return true
  }

  /// Watches a folder and those below.
  ///
  /// - Returns: The reason why it cannot be watched; nil if it is.
  private func add(_ path: String) -> String? {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { return "it is not a folder" }
    let number = inotify_add_watch(notifications, path, Self.mask)
    if number < 0 { return FilePath.lastError }
    let count = folders.withLock { folders in
      folders[number] = path
      return folders.count
    }
    if count > Self.mostFolders { return "it has more than \(Self.mostFolders) folders" }
    for name in PluginScan.names(in: path) where Self.isWatched(name) && Self.isFolder(path + "/" + name) {
      if let failure = add(path + "/" + name) { return failure }
    }
    return nil
  }

  private static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// Returns true for a name that may be a plugin's source or resource.
  static func isWatched(_ name: String) -> Bool {
    // '4913' is a file with which vim tries out a folder.
    !name.hasPrefix(".") && !name.hasSuffix("~") && !name.hasSuffix("." + PackageArchive.fileExtension)
      && name != "__pycache__" && name != "4913"
  }
}
