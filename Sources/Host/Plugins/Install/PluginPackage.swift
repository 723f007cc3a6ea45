import Glibc

/// The contents of a path to be installed: one plugin library, and its resources if there are any.
struct PluginPackage: Sendable, Hashable {
  /// The library's path, without links.
  var library: String
  /// The folder of its resources; nil for none.
  var resources: String?

  /// Finds the plugin at a path: a library, a folder with one, or a package with one in its build folder.
  init(at path: String) throws(InstallError) {
    guard let real = FilePath.real(path) else { throw .nothingThere(path: path, reason: FilePath.lastError) }
    var status = stat()
    guard stat(real, &status) == 0 else { throw .nothingThere(path: path, reason: FilePath.lastError) }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      library = real
      resources = Self.resources(near: [FilePath.folder(of: real)])
      return
    }
    let places = [real, real + "/.build/release", real + "/.build/debug"]
    for place in places {
      let plugins = Self.plugins(in: place)
      if plugins.count > 1 {
        throw .severalPlugins(path: path, names: plugins.map(FilePath.name(of:)))
      }
      if let library = plugins.first {
        self.library = library
        resources = Self.resources(near: [real, place])
        return
      }
    }
    throw .noPlugin(path: path)
  }

  /// Returns the libraries with a stamp in a folder; links are followed, unreadable files are skipped.
  private static func plugins(in folder: String) -> [String] {
    PluginScan.names(in: folder).filter { $0.hasSuffix(".so") }.compactMap { name in
      guard let path = FilePath.real(folder + "/" + name), let (bytes, _) = try? FileTrust.read(path, isTrusted: true),
        let file = try? ELFFile(bytes), (try? PluginStamp(file, path: path)) ?? nil != nil
      else { return nil }
      return path
    }
  }

  private static func resources(near folders: [String]) -> String? {
    for folder in folders {
      for name in ["resources", "Resources"] {
        var status = stat()
        let path = folder + "/" + name
        if lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR { return path }
      }
    }
    return nil
  }
}
