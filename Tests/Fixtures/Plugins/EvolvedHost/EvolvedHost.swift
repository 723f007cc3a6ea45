import Glibc
import PluginAPI

// A host with one command, built on a later contract than the plugin. It prints the values it receives.

final class EvolvedContext: PluginContext {
  let pluginID = "first-revision"
  let folders = PluginFolders(resources: "/r", data: "/data", state: "/s", cache: "/c")
  let isOffline = true
  var eventLoop: any EventLoop { fatalError("no loop is needed here") }
  func now() -> Instant { Instant(seconds: 0) }
  func setting(_ name: String) -> Value { .null }
  func set(_ name: String, to value: Value) throws {}
  func log(_ severity: Diagnostic.Severity, _ message: String) {}
  func store(_ name: String) throws -> any Store { throw MissingPart.store(name) }
  func call(_ command: String, _ arguments: Record) async throws -> Value { .null }
  func notify(_ topic: String, _ payload: Value) {}
  func subscribe(
    _ topic: String, _ handler: @escaping @MainActor @Sendable (PluginAPI.Notification) -> Void
  ) -> any Cancellable { fatalError("nothing is subscribed to here") }
}

struct PrintedOutput: CommandOutput {
  func emit(_ value: Value) async throws {
    print("emit", value["grams"].number ?? -1, value["moles"].shortText, value["in"].text ?? "")
  }
  func report(_ progress: Progress) { print("progress", progress.label, progress.fraction ?? -1) }
  func warn(_ diagnostic: Diagnostic) {
    print("warn", diagnostic.severity, diagnostic.code, diagnostic.line ?? 0, diagnostic.advice ?? "")
  }
}

@main struct EvolvedHost {
  static func main() async {
    guard let handle = dlopen(CommandLine.arguments[1], RTLD_NOW | RTLD_LOCAL),
      let symbol = dlsym(handle, PluginEntry.symbol)
    else { return print(dlerror().map { String(cString: $0) } ?? "") }
    let entry = unsafeBitCast(symbol, to: (@convention(c) () -> UnsafeMutableRawPointer).self)
    guard let plugin = PluginEntry.unbox(entry()) else { return print("no plugin") }
    let contributions = plugin.contributions
    let command = contributions.commands[0]
    print("revision", PluginEntry.contractRevision, contributions.evolvedNote, plugin.evolvedRequirement)
    print(
      contributions.plugin.id, contributions.plugin.version, contributions.stores[0].name,
      contributions.errorCodes[0].code)
    print(
      command.name, command.effects.map(\.rawValue), command.output.isStream,
      command.arguments[0].defaultValue.number ?? -1)
    print((try? Contributions(decoding: contributions.encoded())) == contributions)
    do {
      let made = try plugin.makeCommand("weigh", EvolvedContext())
      try await made.run(CommandCall(arguments: ["mass": 36], context: EvolvedContext(), output: PrintedOutput()))
    } catch let error as ErrorReport {
      print("error", error.code, error.exitStatus, error.advice ?? "")
    } catch {
      print("foreign error", error)
    }
  }
}
