import PluginAPI

/// Checks a plugin for `workbench plugin validate`, which opens this library at run time.
///
/// - Parameters:
///   - plugin: The plugin in a box of `PluginEntry`.
///   - resources: The path of the folder with its resources, ended by a zero byte.
///   - done: Called once with the findings as a list of diagnostics in byte form, and the number of bytes.
@c(workbench_conformance_check)
public func workbenchConformanceCheck(
  _ plugin: UnsafeMutableRawPointer, _ resources: UnsafePointer<CChar>,
  _ done: @escaping @convention(c) @Sendable (UnsafePointer<UInt8>?, Int) -> Void
) {
  let folder = String(cString: resources)
  let subject = PluginEntry.unbox(plugin)
  Task { @MainActor in
    var findings = Findings()
    findings.require(subject != nil, "contract", "the plugin has a contract of its own")
    if let subject { findings.add(await PluginConformance.check(subject, resources: folder, runsExamples: true)) }
    Value.list(findings.diagnostics.map(\.value)).encoded().withUnsafeBufferPointer { done($0.baseAddress, $0.count) }
  }
}
