/// A package made of a plugin's files.
struct PluginPacking: Sendable {
  /// The bytes of the package.
  let bytes: [UInt8]
  /// The contract revision that the plugin needs; nil for a program.
  let revision: Int?
  /// The compiler that the plugin was built with; nil for a program.
  let compiler: String?

  /// Makes a package; the same files give the same bytes.
  ///
  /// The stamp of a library names the revision that the library needs.
  init(_ files: PluginFiles, _ stamp: PluginStamp) throws {
    var packed: [(name: String, isExecutable: Bool, content: [UInt8])] = []
    for file in files.others { packed.append((file.name, file.isExecutable, try file.read())) }
    var main = try files.main.read()
    if ProgramManifest.isManifest(files.main.name) {
      (revision, compiler) = (nil, nil)
    } else {
      let library = try ELFFile(main)
      let needed = try ContractSymbols.revision(neededBy: library, builtOn: stamp.revision)
      if needed < stamp.revision { main = PluginStamp.library(library, revised: needed) }
      (revision, compiler) = (needed, stamp.compiler)
    }
    packed.append((files.main.name, files.main.isExecutable, main))
    bytes = try PackageArchive.bytes(of: packed)
    // A package that cannot be installed is not made.
    let read = try PluginFiles(package: bytes, source: files.source)
    for file in read.all { _ = try file.read() }
  }
}
