import Glibc
import PluginAPI

/// Opens plugin libraries in this process.
///
/// They are never closed: types of a closed library would be called later.
enum PluginLibrary {
  /// Opens a library and returns its plugin.
  ///
  /// The libraries it needs are opened first; see ``NeededLibraries``.
  /// - Parameters:
  ///   - path: The library's absolute path.
  ///   - needs: The libraries it needs, and where it searches them.
  ///   - isBundled: True for a plugin that was built with the program.
  /// - Returns: The plugin, and the address of its entry function.
  static func open(
    _ path: String, id: String, needs: LibraryNeeds, installation: HostInstallation, isBundled: Bool = false
  ) throws(ErrorReport) -> (plugin: any Plugin, entry: UnsafeRawPointer) {
    var libraries = NeededLibraries(id: id, installation: installation)
    try libraries.open(needs, of: path)
    let handle = try openLibrary(path, id: id, binding: isBundled ? RTLD_LAZY : RTLD_NOW)
    guard let symbol = dlsym(handle, PluginEntry.symbol) else { throw PluginRefusal.noEntry(id: id) }
    typealias Entry = @convention(c) () -> UnsafeMutableRawPointer?
    let box = unsafeBitCast(symbol, to: Entry.self)()
    guard let plugin = box.flatMap(PluginEntry.unbox) else { throw PluginRefusal.foreignContract(id: id) }
    return (plugin, UnsafeRawPointer(symbol))
  }

  /// Opens a library, by its path or by the name under which the system finds it.
  ///
  /// - Parameter binding: `RTLD_NOW`, so that a symbol that is missing refuses the plugin. The program's own libraries
  ///   and bundled plugins lack none: for them, `RTLD_LAZY` binds functions at their first call, which starts faster.
  @discardableResult
  static func openLibrary(
    _ path: String, id: String, binding: Int32 = RTLD_NOW
  ) throws(ErrorReport) -> UnsafeMutableRawPointer {
    guard let handle = dlopen(path, binding | RTLD_LOCAL | RTLD_NODELETE) else {
      throw refusal(dlerror().map { String(cString: $0) } ?? "unknown reason", path: path, id: id)
    }
    return handle
  }

  /// Converts a message of the dynamic linker into a refusal.
  ///
  /// - Source: glibc 2.36, elf/dl-lookup.c and elf/dl-load.c (the wording).
  static func refusal(_ reason: String, path: String, id: String) -> ErrorReport {
    let parts = reason.split(separator: ":", omittingEmptySubsequences: false)
      .map { String($0.hasPrefix(" ") ? $0.dropFirst() : $0) }
    if let index = parts.firstIndex(where: { $0 == "undefined symbol" || $0 == "symbol lookup error" }),
      index + 1 < parts.count
    {
      let last = parts[parts.count - 1]
      return PluginRefusal.missingSymbol(id: id, String(last.prefix { $0 != "," && $0 != " " }))
    }
    let isNamedByPath = path.contains("/") && parts[0] == path
    if parts.count > 1, parts[1] == "cannot open shared object file", !isNamedByPath {
      return PluginRefusal.missingLibrary(id: id, parts[0])
    }
    return PluginRefusal.notLoadable(id: id, reason)
  }
}
