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
  mutating func open(_ needs: LibraryNeeds, of path: String) throws(ErrorReport) {
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
  private mutating func open(_ path: String, as name: String?) throws(ErrorReport) {
    let (file, real): (ELFFile, String)
    do throws(ErrorReport) {
      guard path.hasPrefix("/"), let found = FilePath.real(path) else {
        throw PluginRefusal.unreadable(path: path, path.hasPrefix("/") ? FilePath.lastError : "its path is relative")
      }
      real = found
      try FileTrust.checkFolder(FilePath.folder(of: path))
      try FileTrust.checkFolder(FilePath.folder(of: real))
      let (bytes, _) = try FileTrust.read(real)
      do throws(ELFError) { file = try ELFFile(bytes) } catch { throw PluginRefusal.library(path: real, error) }
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

  private func unsafe(_ library: String, _ reason: String, _ advice: String?) -> ErrorReport {
    PluginRefusal.unsafeLibrary(id: id, library: library, reason: reason, advice: advice)
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

/// Finds the names of the Swift modules whose types a library contains.
///
/// Two plugins with a module of the same name work side by side except for lookups by name, which always find the
/// first: so the names must be unique. A library that carries types of `PluginAPI` has a copy of the contract.
/// - Source: Swift ABI, "TypeMetadata.rst" (context descriptors); `swift/ABI/MetadataValues.h` (ContextDescriptorKind).
enum SwiftModules {
  private static let sectionName = "swift5_type_metadata"
  private static let deepest = 64
  /// The modules in which the compiler puts C types; they are the same in every library.
  private static let ofC: Set<String> = ["__C", "__C_Synthesized"]

  /// Returns the names, sorted.
  ///
  /// - Complexity: O(*types*); anything that makes no sense is skipped.
  static func names(in file: ELFFile) -> [String] {
    guard let section = file.section(sectionName) else { return [] }
    var names: Set<String> = []
    var seen: Set<UInt64> = []
    for index in stride(from: 0, to: section.size - 3, by: 4) {
      let field = section.address &+ UInt64(index)
      // The lowest bits indicate a reference through a pointer, which only the linker fills.
      guard let distance = int(at: field, in: file), distance & 3 == 0 else { continue }
      let descriptor = field &+ UInt64(bitPattern: Int64(distance))
      if let name = module(of: descriptor, in: file, seen: &seen) { names.insert(name) }
    }
    return names.subtracting(ofC).sorted()
  }

  /// Follows the parents of a context descriptor up to its module.
  private static func module(of descriptor: UInt64, in file: ELFFile, seen: inout Set<UInt64>) -> String? {
    var context = descriptor
    for _ in 0..<deepest {
      guard seen.insert(context).inserted, let flags = int(at: context, in: file) else { return nil }
      if flags & 0x1F == 0 {
        guard let name = int(at: context &+ 8, in: file) else { return nil }
        return text(at: context &+ 8 &+ UInt64(bitPattern: Int64(name)), in: file)
      }
      guard let parent = int(at: context &+ 4, in: file), parent != 0, parent & 1 == 0 else { return nil }
      context = context &+ 4 &+ UInt64(bitPattern: Int64(parent))
    }
    return nil
  }

  private static func int(at address: UInt64, in file: ELFFile) -> Int32? {
    guard let offset = file.offset(of: address), offset <= file.bytes.count - 4 else { return nil }
    return file.bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: Int32.self) }
  }

  private static func text(at address: UInt64, in file: ELFFile) -> String? {
    guard let offset = file.offset(of: address) else { return nil }
    let bytes = file.bytes[offset...].prefix(256)
    guard let end = bytes.firstIndex(of: 0), end > bytes.startIndex else { return nil }
    return String(decoding: bytes[..<end], as: UTF8.self)
  }
}
