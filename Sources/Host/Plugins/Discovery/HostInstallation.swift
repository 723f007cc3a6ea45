internal import CHost
import Glibc

/// The locations of the program and its files.
///
/// In a checkout everything is in one build folder. Installed, the program is in `<prefix>/bin`, the contract, the
/// kit and the bundled plugins in `<prefix>/lib/workbench`, other plugins for all users in
/// `<prefix>/lib/workbench/plugins`, and resources in `<prefix>/share/workbench/<id>`.
struct HostInstallation: Sendable, Hashable {
  /// The folder of the running program, without links.
  let folder: String
  /// The folder with the contract and the kit.
  let libraries: String

  /// Creates an installation whose program is in a folder, and locates its libraries.
  init(folder: String) {
    self.folder = folder
    let installed = FilePath.folder(of: folder) + "/lib/workbench"
    let isInstalled = access(folder + "/libPluginAPI.so", F_OK) != 0 && access(installed, F_OK) == 0
    libraries = isInstalled ? installed : folder
  }

  /// The installation of the running program; the tests' program is beside it.
  static let current = HostInstallation(folder: FilePath.folder(of: FilePath.linkTarget("/proc/self/exe") ?? "/"))

  /// The program.
  var program: String {
    let named = folder + "/workbench"
    return access(named, X_OK) == 0 ? named : "/proc/self/exe"
  }

  /// Returns a library of the program itself, or of the Swift runtime it runs on; nil if there is none of that file
  /// name.
  func ownLibrary(_ name: String) -> String? {
    [libraries, Self.runtime].compactMap { $0.map { $0 + "/" + name } }.first { access($0, F_OK) == 0 }
  }

  /// The folder from which this process's Swift runtime was loaded; nil if it is unknown.
  private static let runtime: String? = {
    guard let symbol = dlsym(nil, "swift_retain"), let file = chost_library_of(symbol) else { return nil }
    return FilePath.folder(of: String(cString: file))
  }()

  /// The folder with the plugins that ship with the program.
  var bundledPlugins: String { libraries }

  /// The folder with plugins installed for all users; nil in a checkout.
  var systemPlugins: String? { libraries == folder ? nil : libraries + "/plugins" }

  /// The folder with the files that ship with the program: `<prefix>/share/workbench`, or the checkout's `Resources`.
  var sharedFiles: String {
    if libraries == folder, let checkout = Self.checkout(of: folder) { return checkout + "/Resources" }
    return FilePath.folder(of: folder) + "/share/workbench"
  }

  /// The file with the contributions of the bundled plugins; nil in a checkout.
  var shippedRegistry: String? { libraries == folder ? nil : sharedFiles + "/plugins.registry" }

  /// Returns the folder of a plugin's resources.
  ///
  /// The first that exists of: `resources` beside the library (an installed plugin), `<prefix>/share/workbench/<id>`,
  /// `resources/<id>` beside the program, and `Plugins/<Name>/Resources` of the checkout whose `.build` holds a
  /// library `lib<Name>.so`.
  func resources(of id: String, library: String) -> String {
    let libraryFolder = FilePath.folder(of: library)
    let beside = libraryFolder + "/resources"
    var choices = libraryFolder == libraries ? [] : [beside]
    choices.append(FilePath.folder(of: folder) + "/share/workbench/" + id)
    choices.append(folder + "/resources/" + id)
    if let checkout = Self.checkout(of: library) {
      let file = FilePath.name(of: library)
      choices.append(checkout + "/Plugins/" + file.dropFirst(3).dropLast(3) + "/Resources")
    }
    return choices.first { access($0, F_OK) == 0 } ?? beside
  }

  /// Returns the folder whose `.build` holds a file; nil if there is none.
  private static func checkout(of path: String) -> String? {
    let build = BytePattern("/.build/").firstRange(in: path)
    return build.map { String(decoding: path.utf8.prefix($0.lowerBound), as: UTF8.self) }
  }
}
