public import Foundation

/// The real files that tests read in place.
public enum SharedData {
  /// The folder of the shared data; nil where it is absent.
  ///
  /// `WORKBENCH_SHARED_DATA` names it, else it is `../shared/data` seen from the checkout.
  public static let folder: URL? = {
    let named = ProcessInfo.processInfo.environment["WORKBENCH_SHARED_DATA"].map { URL(fileURLWithPath: $0) }
    let folder = named ?? Checkout.root.deletingLastPathComponent().appendingPathComponent("shared/data")
    return FileManager.default.fileExists(atPath: folder.path) ? folder : nil
  }()

  /// The folder with files on which faults were found; nil where it is absent.
  public static var found: URL? { folder?.appendingPathComponent("found") }

  /// The folder with the molecules' files; nil where it is absent.
  public static var molecules: URL? { folder?.appendingPathComponent("molecules") }
}

/// The checkout the tests were built from.
public enum Checkout {
  /// The root folder.
  public static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
}
