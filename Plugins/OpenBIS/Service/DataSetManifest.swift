import PluginAPI
import PluginJSON
import PluginStore

/// The list of files beside the files of a downloaded data set.
enum DataSetManifest {
  /// Returns true if a file is the list of a data set, written by an earlier download.
  ///
  /// - Parameters:
  ///   - dataSet: The code of the data set.
  ///   - server: The address of its server.
  static func isAt(_ path: String, of dataSet: String, on server: String) -> Bool {
    guard let bytes = try? WholeFile.read(path, limitInBytes: 64 << 20), let manifest = try? Value(json: bytes) else {
      return false
    }
    return manifest["dataSet"].text == dataSet && manifest["server"].text == server && manifest["files"].list != nil
  }
}
