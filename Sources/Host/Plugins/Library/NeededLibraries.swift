import Glibc
import PluginAPI

/// The libraries that a library needs, as its file lists them.
struct LibraryNeeds: Sendable, Hashable {
  /// Their file names, in order.
  var names: [String]
  /// The folders it names to search them in, with `$ORIGIN` as written.
  var searchFolders: [String]

  init(names: [String] = [], searchFolders: [String] = []) {
    (self.names, self.searchFolders) = (names, searchFolders)
  }

  init(_ file: ELFFile) {
    self.init(names: file.needed, searchFolders: file.searchFolders)
  }
}

/// Opens the libraries that a plugin needs, each from a folder that only the user and root can change.
///
/// The dynamic linker then finds all of them in the process, so it never searches a folder that the plugin names.
/// - Source: ld.so(8), "The dynamic linker resolves dependencies", for the order of the search.
struct NeededLibraries {
  private let id: String
  private let installation: HostInstallation
  /// The names that were resolved; a name means the same library for everything in the process.
  private var resolved: Set<String> = []

  /// Creates an opener of the libraries of one plugin.
  init(id: String, installation: HostInstallation) {
    (self.id, self.installation) = (id, installation)
  }

  /// Opens the libraries that a library needs, recursively.
  ///
  /// The program's own folders come first: contract, kit and the Swift runtime exist once in a process.
  /// - Parameters:
  ///   - needs: The library's needs.
  ///   - path: The library's absolute path, for `$ORIGIN`.
  mutating func open(_ needs: LibraryNeeds, of path: String) throws(PluginRefusal) {
    let folders = needs.searchFolders.map { Self.expanded($0, origin: FilePath.folder(of: path)) }
    for name in needs.names where resolved.insert(name).inserted {
      if name.utf8.contains(UInt8(ascii: "/")) {
        guard name.hasPrefix("/") else { throw unsafe(name, "'\(name)' is a relative path", Self.linkAdvice(name)) }
        try open(name, as: nil)
      } else if let own = installation.ownLibrary(name) {
        try PluginLibrary.openLibrary(own, id: id, binding: RTLD_LAZY)
      } else if Self.isLoaded(name) {
        continue
      } else if let folder = folders.first(where: { access($0 + "/" + name, F_OK) == 0 }) {
        try open(folder + "/" + name, as: name)
      } else {
        try PluginLibrary.openLibrary(name, id: id)
      }
    }
  }

  /// Checks and opens a library that the plugin brings.
  ///
  /// - Parameter name: The name the library must have itself, or the dynamic linker would search for it again; nil if
  ///   it is needed by its path.
  private mutating func open(_ path: String, as name: String?) throws(PluginRefusal) {
    let (file, real): (ELFFile, String)
    do throws(PluginRefusal) {
      guard path.hasPrefix("/"), let found = FilePath.real(path) else {
        throw .unreadable(path: path, path.hasPrefix("/") ? FilePath.lastError : "its path is relative")
      }
      real = found
      try FileTrust.checkFolder(FilePath.folder(of: path))
      try FileTrust.checkFolder(FilePath.folder(of: real))
      let (bytes, _) = try FileTrust.read(real)
      do throws(ELFError) { file = try ELFFile(bytes) } catch { throw .library(path: real, error) }
    } catch {
      let report = error.report
      throw unsafe(path, report.message, report.advice)
    }
    if let name, file.soname != name {
      throw unsafe(path, "its SONAME is different", Self.linkAdvice(name))
    }
    if name == nil, real != path {
      // The linker opens that path again, whatever a link in it leads to by then.
      throw unsafe(path, "its path contains symbolic links", Self.linkAdvice(path))
    }
    try open(LibraryNeeds(file), of: real)
    // The checked path is opened: a link may lead elsewhere by now.
    try PluginLibrary.openLibrary(real, id: id)
  }

  private func unsafe(_ library: String, _ reason: String, _ advice: String?) -> PluginRefusal {
    .unsafeLibrary(id: id, library: library, reason: reason, advice: advice)
  }

  private static func linkAdvice(_ name: String) -> String {
    "link that library with -Wl,-soname,\(FilePath.name(of: name)), then the plugin again"
  }

  private static func isLoaded(_ name: String) -> Bool {
    guard let handle = dlopen(name, RTLD_LAZY | RTLD_NOLOAD) else { return false }
    dlclose(handle)
    return true
  }

  private static func expanded(_ folder: String, origin: String) -> String {
    for token in ["$ORIGIN", "${ORIGIN}"] where folder.hasPrefix(token) {
      return origin + folder.dropFirst(token.count)
    }
    return folder
  }
}
