import Glibc
import PluginAPI

extension ProgramService.Source {
  /// Returns the command line.
  func launch() throws -> ProgramProcess.Launch {
    switch code {
    case .program(let manifest): try launch(manifest)
    case .library(let library): library.launch(path, memoryInBytes: memoryInBytes)
    }
  }

  /// Returns the command line in a manifest; arguments that name a file of the plugin's folder become absolute paths.
  private func launch(_ known: ProgramManifest) throws -> ProgramProcess.Launch {
    let (manifest, identity) = try ProgramManifest.read(path)
    guard identity == self.identity, manifest == known else {
      throw PluginRefusal.changed(id: id, path: path)
    }
    let folder = FilePath.folder(of: self.path)
    let commandLine = try manifest.run.map { word in
      let path = folder + "/" + word
      guard !word.split(separator: "/").contains(".."), !word.hasPrefix("/"), HostFile.isDocument(path) else {
        return word
      }
      try Self.check(path)
      return path
    }
    guard let program = Self.program(commandLine[0]) else {
      throw ProgramError.noProgram(plugin: id, manifest.run[0])
    }
    return ProgramProcess.Launch(program: program, arguments: commandLine, memoryInBytes: memoryInBytes)
  }

  /// Checks that only the user can change a file, which may be a link, as the interpreter of a Python environment is.
  private static func check(_ path: String) throws(ErrorReport) {
    let real = FilePath.real(path) ?? path
    try FileTrust.checkFolder(FilePath.folder(of: path))
    try FileTrust.checkFolder(FilePath.folder(of: real))
    _ = try FileTrust.checkFile(real)
  }

  /// Returns the absolute path of a program; a name without a slash is searched for in the folders of `PATH`.
  private static func program(_ name: String) -> String? {
    let folders = (ProcessEnvironment.all()["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
    let paths = name.contains("/") ? [name] : folders.map { $0 + "/" + name }
    return paths.first { $0.hasPrefix("/") && access($0, X_OK) == 0 }
  }
}
