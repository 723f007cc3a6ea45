internal import PluginStamp

/// The entry point of a plugin library.
public enum PluginEntry {
  /// The name of the C function that every plugin library exports.
  public static let symbol = "workbench_plugin_entry"

  /// The name of the ELF section with the plugin's stamp.
  public static let section = ".workbench.plugin"

  /// The revision of the contract in this process.
  public static var contractRevision: Int { Int(workbench_contract_revision()) }

  /// The oldest contract revision whose plugins this process can run.
  public static var oldestRevision: Int { Int(workbench_oldest_revision()) }

  /// The compiler of the contract in this process, in the form used in a plugin's stamp.
  public static var compiler: String { String(cString: workbench_contract_compiler()) }

  /// Puts a plugin into a retained box, to pass it through the C function.
  public static func box(_ plugin: any Plugin) -> UnsafeMutableRawPointer {
    Unmanaged.passRetained(PluginBox(plugin)).toOpaque()
  }

  /// Returns the plugin in a box.
  ///
  /// - Returns: nil if the pointer is not a box of this contract, because the library contains a second copy of the
  ///   contract.
  public static func unbox(_ pointer: UnsafeMutableRawPointer) -> (any Plugin)? {
    let object = Unmanaged<AnyObject>.fromOpaque(pointer).takeUnretainedValue()
    return (object as? PluginBox)?.plugin
  }
}

/// A box that carries a plugin through the C entry function.
public final class PluginBox: Sendable {
  /// The plugin.
  public let plugin: any Plugin

  /// Creates a box.
  public init(_ plugin: any Plugin) {
    self.plugin = plugin
  }
}
