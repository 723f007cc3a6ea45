import Glibc
import PluginAPI
import Synchronization

/// A watch for changes of the files in a folder and those below, by inotify.
///
/// Hidden files, caches of Python, packages and backup copies of editors are left out. ``end()`` releases it.
final class FolderWatch: Sendable {
  private struct State {
    /// The watched folders by the number of their watch.
    var folders: [Int32: String] = [:]
    var isEnded = false
    /// A Boolean value indicating whether the descriptors are closed.
    var isClosed = false
    /// The number of threads in ``next()``, which use the descriptors.
    var waiting = 0
  }

  /// The most folders that are watched.
  private static let mostFolders = 2000
  /// The time without a change after which a set of changes is complete: editors write in several steps.
  private static let quietInSeconds = 0.06
  /// The longest time from the first change of a set to its end: something may write all the time.
  private static let longestInSeconds = 2.0
  private static let mask =
    UInt32(IN_CLOSE_WRITE) | UInt32(IN_MOVED_TO) | UInt32(IN_MOVED_FROM) | UInt32(IN_CREATE) | UInt32(IN_DELETE)

  private let notifications: Int32
  /// A pipe, which is readable once the watch was ended.
  private let ending: (read: Int32, write: Int32)
  private let folder: String
  private let state = Mutex(State())

  /// Begins to watch a folder.
  init(_ folder: String) throws(ErrorReport) {
    self.folder = folder
    notifications = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
    var ends: [Int32] = [-1, -1]
    let failure = pipe(&ends) == 0 ? nil : FilePath.lastError
    for end in ends where end >= 0 { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    ending = (ends[0], ends[1])
    guard notifications >= 0, failure == nil else {
      throw AuthorError.cannotWatch(folder, reason: failure ?? "the limit of watches is reached")
    }
    if !PluginScan.isFolder(folder) { throw AuthorError.cannotWatch(folder, reason: "it is not a folder") }
    try add(folder)
  }

  // For a watch that could not begin: the others are ended by their owner.
  deinit { end() }

  /// The watched folders, sorted.
  var watchedFolders: [String] { state.withLock { $0.folders.values.sorted() } }

  /// Ends the watch and releases it: ``next()`` returns false from now on.
  func end() {
    state.withLock { state in
      state.isEnded = true
      if state.waiting == 0 { return close(&state) }
      var byte: UInt8 = 0
      _ = Glibc.write(ending.write, &byte, 1)
    }
  }

  private func close(_ state: inout State) {
    if state.isClosed { return }
    state.isClosed = true
    state.folders = [:]
    for descriptor in [notifications, ending.read, ending.write] where descriptor >= 0 { Glibc.close(descriptor) }
  }

  /// Blocks the thread until files have changed and are left alone for a moment, but for 2 seconds at most.
  ///
  /// - Returns: False once the watch was ended.
  /// - Throws: ``AuthorError/cannotWatch(_:reason:)`` if the folder was removed, or a new one below it cannot be watched.
  func next() throws(ErrorReport) -> Bool {
    let isEnded = state.withLock { state in
      if !state.isEnded { state.waiting += 1 }
      return state.isEnded
    }
    if isEnded { return false }
    defer {
      state.withLock { state in
        state.waiting -= 1
        if state.isEnded, state.waiting == 0 { close(&state) }
      }
    }
    return try awaitChange()
  }

  private func awaitChange() throws(ErrorReport) -> Bool {
    var deadline: Double?
    while true {
      var watched = [
        pollfd(fd: notifications, events: Int16(POLLIN), revents: 0),
        pollfd(fd: ending.read, events: Int16(POLLIN), revents: 0),
      ]
      let seconds = deadline.map { min(Self.quietInSeconds, $0 - MonotonicClock.seconds) }
      if let seconds, seconds <= 0 { return true }
      let count = poll(&watched, 2, seconds.map { Int32($0 * 1000) + 1 } ?? -1)
      if count < 0, errno != EINTR { return false }
      if count > 0, watched[1].revents != 0 { return false }
      if count == 0 { return true }
      if count > 0, watched[0].revents != 0, try takeEvents(), deadline == nil {
        deadline = MonotonicClock.seconds + Self.longestInSeconds
      }
    }
  }

  /// Reads events once.
  ///
  /// - Returns: True if one is about a file of the plugin.
  private func takeEvents() throws(ErrorReport) -> Bool {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    var hasChanged = false
    let count = read(notifications, &buffer, buffer.count)
    var offset = 0
    while offset + MemoryLayout<inotify_event>.size <= count {
      let event = buffer.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: inotify_event.self) }
      let start = offset + MemoryLayout<inotify_event>.size
      let end = min(start + Int(event.len), count)
      let name = String(decoding: buffer[start..<end].prefix { $0 != 0 }, as: UTF8.self)
      if try take(event, name: name) { hasChanged = true }
      offset = end
    }
    return hasChanged
  }

  private func take(_ event: inotify_event, name: String) throws(ErrorReport) -> Bool {
    // Events were lost: something changed.
    if event.mask & UInt32(IN_Q_OVERFLOW) != 0 { return true }
    if event.mask & UInt32(IN_IGNORED) != 0 {
      try forget(event.wd)
      return false
    }
    guard Self.isWatched(name) else { return false }
    guard event.mask & UInt32(IN_ISDIR) != 0 else {
      // The content of a new file follows.
      return event.mask & UInt32(IN_CREATE) == 0
    }
    guard let parent = state.withLock({ $0.folders[event.wd] }) else { return true }
    let path = parent + "/" + name
    if event.mask & UInt32(IN_MOVED_FROM) != 0 {
      remove(path)
    } else if event.mask & UInt32(IN_DELETE) == 0 {
      try add(path)
    }
    return true
  }

  /// Forgets a folder that was deleted.
  private func forget(_ number: Int32) throws(ErrorReport) {
    let forgotten = state.withLock { $0.folders.removeValue(forKey: number) }
    if forgotten == folder { throw AuthorError.cannotWatch(folder, reason: "it was removed") }
  }

  /// Ends the watches of a folder that was moved away, and of those below.
  private func remove(_ path: String) {
    let numbers = state.withLock { state in
      let moved = state.folders.filter { $0.value == path || $0.value.hasPrefix(path + "/") }
      for number in moved.keys { state.folders[number] = nil }
      return moved.keys
    }
    for number in numbers { inotify_rm_watch(notifications, number) }
  }

  /// Watches a folder and those below; does nothing if it has been removed in the meantime.
  private func add(_ path: String) throws(ErrorReport) {
    guard PluginScan.isFolder(path) else { return }
    let number = inotify_add_watch(notifications, path, Self.mask)
    if number < 0 {
      if errno == ENOENT { return }
      throw AuthorError.cannotWatch(path, reason: FilePath.lastError)
    }
    let count = state.withLock { state in
      state.folders[number] = path
      return state.folders.count
    }
    if count > Self.mostFolders {
      throw AuthorError.cannotWatch(folder, reason: "it has more than \(Self.mostFolders) folders")
    }
    for name in PluginScan.names(in: path) where Self.isWatched(name) { try add(path + "/" + name) }
  }

  /// Returns true for a name that may be a plugin's source or resource.
  static func isWatched(_ name: String) -> Bool {
    // '4913' is a file with which vim tries out a folder.
    !name.hasPrefix(".") && !name.hasSuffix("~") && !PackageArchive.isNamed(name) && name != "__pycache__"
      && name != "4913"
  }
}
