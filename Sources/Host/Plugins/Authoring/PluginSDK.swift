import Glibc
import PluginAPI

/// The plugin SDK of an installation: the libraries, modules and headers that plugins are compiled against.
///
/// Libraries and modules are in one folder: the build folder of a checkout, or `<prefix>/lib/workbench`.
struct PluginSDK: Sendable, Hashable {
  /// The folder with the libraries and, in `Modules`, the interfaces of the Swift modules.
  let folder: String
  /// The folder with the sources, the files for other languages and, in an installation, the guide.
  let sources: String

  /// The folder of the interfaces of the Swift modules, from which the compiler makes modules.
  var modules: String { folder + "/Modules" }
  /// The folder of the C header with the stamp.
  var headers: String { sources + "/PluginAPI/Stamp/include" }
  /// The library with the test kit.
  var testKit: String { folder + "/" + Self.testKitName }

  /// The file name of the library with the test kit.
  static let testKitName = "libPluginTesting.so"

  /// Locates the SDK of an installation, which may be incomplete; see ``check(for:)``.
  init(_ installation: HostInstallation) {
    folder = installation.libraries
    sources = installation.sdkSources
  }

  /// Returns the file of the SDK that a plugin in another language includes; nil for Swift.
  func runtimeFile(of language: PluginLanguage) -> String? {
    switch language {
    case .swift: nil
    case .python: sources + "/PluginSDK/Python/workbench_plugin.py"
    case .r: sources + "/PluginSDK/R/workbench_plugin.R"
    }
  }

  /// Checks that all files that plugins in a language need are installed.
  func check(for language: PluginLanguage) throws(ErrorReport) {
    let needed =
      runtimeFile(of: language).map { [$0] } ?? [
        modules + "/PluginAPI.swiftinterface", modules + "/PluginTesting.swiftinterface",
        folder + "/libPluginAPI.so", testKit, headers + "/workbench_plugin.h",
      ]
    if let missing = needed.first(where: { access($0, R_OK) != 0 }) { throw AuthorError.noSDK(missing: missing) }
  }
}

/// A language that `plugin new` has a template for.
enum PluginLanguage: String, Sendable, CaseIterable {
  case swift, python, r
}

extension HostInstallation {
  /// The folder with the sources of the plugin SDK: `<prefix>/share/workbench/sdk`, or `Sources` of the checkout.
  var sdkSources: String {
    systemPlugins == nil ? FilePath.folder(of: sharedFiles) + "/Sources" : sharedFiles + "/sdk"
  }
}
