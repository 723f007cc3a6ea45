import Glibc

/// The files of a plugin that is to be installed or packed, from a library, a folder or a package.
struct PluginFiles: Sendable {
  /// A file, named as in the plugin's own folder.
  struct File: Sendable {
    var name: String
    var isExecutable = false
    /// Reads the content.
    let read: @Sendable () throws -> [UInt8]
  }

  /// The library or manifest.
  let main: File
  /// The other files, such as resources.
  private(set) var others: [File] = []
  /// The absolute path that the files came from, for messages.
  let source: String
  /// The signature beside a package; nil if there is none.
  private(set) var signature: [UInt8]?
  /// The bytes of the package; nil if the files are in a folder.
  private(set) var package: [UInt8]?

  /// All files.
  var all: [File] { [main] + others }

  /// Finds the plugin at a path: a package, a library, a folder with one of them or a `plugin.json`, or a package of
  /// Swift with a library in its build folder.
  init(at path: String) throws {
    guard let real = FilePath.real(path) else {
      throw InstallError.nothingThere(path: path, reason: FilePath.lastError)
    }
    var status = stat()
    guard stat(real, &status) == 0 else { throw InstallError.nothingThere(path: path, reason: FilePath.lastError) }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      let (start, _) = try FileTrust.read(real, isTrusted: true, limit: 4)
      if PackageArchive.isArchive(start) || real.hasSuffix("." + PackageArchive.fileExtension) {
        let (bytes, _) = try FileTrust.read(real, isTrusted: true)
        try self.init(package: bytes, source: FilePath.absolute(path))
        signature = try? HostFile.read(real + MinisignSignature.fileExtension, limit: 1 << 16)
        return
      }
      try self.init(library: real, resources: Self.resources(near: [FilePath.folder(of: real)]), source: path)
      return
    }
    if access(real + "/" + ProgramManifest.fileName, F_OK) == 0 {
      try self.init(program: real, source: path)
      return
    }
    for folder in [real, real + "/.build/release", real + "/.build/debug"] {
      let plugins = Self.plugins(in: folder)
      if plugins.count > 1 {
        throw InstallError.severalPlugins(path: path, names: plugins.map(FilePath.name(of:)))
      }
      if let library = plugins.first {
        try self.init(library: library, resources: Self.resources(near: [real, folder]), source: path)
        return
      }
    }
    throw InstallError.noPlugin(path: path)
  }

  /// Finds the plugin in a package.
  ///
  /// - Parameter source: The path or address of the package.
  init(package bytes: [UInt8], source: String) throws {
    let archive = try PackageArchive(bytes)
    let files = archive.entries.map { entry in
      File(name: entry.name, isExecutable: entry.isExecutable) { try archive.content(of: entry) }
    }
    // As in the plugin's own folder: the manifest, or else the library with a stamp.
    var found = files.filter { $0.name == ProgramManifest.fileName }
    if found.isEmpty {
      found = try files.filter { file in
        try !file.name.contains("/") && file.name.hasSuffix(".so") && Self.hasStamp(file.read(), path: file.name)
      }
    }
    guard let main = found.first else { throw InstallError.noPlugin(path: source) }
    guard found.count == 1 else { throw InstallError.severalPlugins(path: source, names: found.map(\.name)) }
    self.main = main
    others = files.filter { $0.name != main.name }
    (self.source, package) = (source, bytes)
  }

  /// Takes a library and the files of its resources.
  private init(library: String, resources: String?, source: String) throws {
    main = Self.file(library, named: FilePath.name(of: library))
    self.source = FilePath.absolute(source)
    if let resources {
      var names = PackageNames()
      others = try Self.files(in: resources, prefix: "resources/", &names)
    }
  }

  /// Takes all files of a folder with a manifest, but not packages that were made in it.
  private init(program folder: String, source: String) throws {
    main = Self.file(folder + "/" + ProgramManifest.fileName, named: ProgramManifest.fileName)
    self.source = FilePath.absolute(source)
    var names = PackageNames()
    others = try Self.files(in: folder, prefix: "", &names).filter { file in
      file.name != ProgramManifest.fileName && (file.name.contains("/") || !PackageArchive.isNamed(file.name))
    }
  }

  /// Returns the names in a folder of a plugin, sorted; hidden files and Python's caches are left out.
  fileprivate static func names(in folder: String) -> [String] {
    PluginScan.names(in: folder).filter { $0 != "__pycache__" }
  }

  /// Lists the files of a folder and those below.
  ///
  /// - Parameter prefix: The start of the files' names in the plugin's own folder.
  private static func files(in folder: String, prefix: String, _ names: inout PackageNames) throws -> [File] {
    var files: [File] = []
    for name in Self.names(in: folder) {
      let path = folder + "/" + name
      var status = stat()
      guard lstat(path, &status) == 0 else { throw InstallError.badResource(path: path, reason: FilePath.lastError) }
      let isFolder = status.st_mode & S_IFMT == S_IFDIR
      guard isFolder || status.st_mode & S_IFMT == S_IFREG else {
        throw InstallError.badResource(path: path, reason: "it is neither a file nor a folder")
      }
      do throws(PackageError) {
        try names.add(prefix + name, isFolder: isFolder)
      } catch {
        throw InstallError.badResource(path: path, reason: error.reason)
      }
      if isFolder {
        files += try Self.files(in: path, prefix: prefix + name + "/", &names)
      } else {
        files.append(file(path, named: prefix + name, isExecutable: status.st_mode & 0o100 != 0))
      }
    }
    return files
  }

  private static func file(_ path: String, named name: String, isExecutable: Bool = false) -> File {
    File(name: name, isExecutable: isExecutable) { try FileTrust.read(path, isTrusted: true).bytes }
  }

  /// Returns the libraries with a stamp in a folder; links are followed, unreadable files are skipped.
  private static func plugins(in folder: String) -> [String] {
    PluginScan.names(in: folder).filter { $0.hasSuffix(".so") }.compactMap { name in
      guard let path = FilePath.real(folder + "/" + name), let (bytes, _) = try? FileTrust.read(path, isTrusted: true),
        hasStamp(bytes, path: path)
      else { return nil }
      return path
    }
  }

  private static func hasStamp(_ library: [UInt8], path: String) -> Bool {
    (try? ELFFile(library)).map { (try? PluginStamp($0, path: path)) ?? nil != nil } ?? false
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

/// The list of an installed plugin's files with their hashes, as `sha256sum` writes it: the file `.contents` in the
/// plugin's own folder, whose own hash is in the lock file.
struct InstalledFiles: Sendable {
  /// The name of the file.
  static let fileName = ".contents"
  private static let largest = 32 << 20

  /// Copies files to a folder, durably, and adds the list.
  ///
  /// - Returns: The SHA-256 of the list.
  static func write(_ files: PluginFiles, to folder: String) throws -> String {
    var lines: [String] = []
    var total = 0
    for file in files.all {
      let content = try file.read()
      total += content.count
      guard total <= PackageArchive.mostContent else {
        throw PackageError.tooLarge("its files have more than \(PackageArchive.mostContent >> 20) MiB")
      }
      let mode: mode_t = file.isExecutable ? 0o700 : 0o600
      try HostFile.write(content, to: folder + "/" + file.name, mode: mode, makesFolder: true)
      lines.append(try ContentHash.required(content) + "  " + file.name + "\n")
    }
    let list = Array(lines.sorted().joined().utf8)
    try HostFile.write(list, to: folder + "/" + fileName)
    return try ContentHash.required(list)
  }

  /// Returns the path of a file that differs from the list or is missing, or that of the list if its hash differs; nil if
  /// all are the same.
  ///
  /// - Parameter isChecked: Returns true if a file of a name is compared.
  static func altered(in folder: String, hash: String, where isChecked: (String) -> Bool = { _ in true }) -> String? {
    let path = folder + "/" + fileName
    guard let lines = Self.lines(in: folder, hash: hash) else { return path }
    for line in lines where isChecked(line.name) {
      let file = folder + "/" + line.name
      guard let (content, _) = try? FileTrust.read(file), ContentHash.of(content) == line.hash else { return file }
    }
    return nil
  }

  /// Returns the path of a file that is not in the list; nil if there is none.
  ///
  /// Files that packages leave out are not looked for: Python writes its caches beside a program.
  static func added(in folder: String, hash: String) -> String? {
    guard let lines = Self.lines(in: folder, hash: hash) else { return nil }
    return firstFile(in: folder, below: "", notIn: Set(lines.map(\.name)))
  }

  private static func firstFile(in folder: String, below prefix: String, notIn known: Set<String>) -> String? {
    for name in PluginFiles.names(in: folder + "/" + prefix) where !known.contains(prefix + name) {
      let path = folder + "/" + prefix + name
      var status = stat()
      guard lstat(path, &status) == 0 else { continue }
      guard status.st_mode & S_IFMT == S_IFDIR else { return path }
      if let file = firstFile(in: folder, below: prefix + name + "/", notIn: known) { return file }
    }
    return nil
  }

  /// Returns the lines of the list; nil if its hash differs.
  private static func lines(in folder: String, hash: String) -> [(hash: String, name: String)]? {
    guard let (list, _) = try? FileTrust.read(folder + "/" + fileName, limit: largest), ContentHash.of(list) == hash
    else { return nil }
    // 64 digits, two spaces and the name.
    return String(decoding: list, as: UTF8.self).split(separator: "\n").map { line in
      (String(line.prefix(64)), String(line.dropFirst(66)))
    }
  }
}
