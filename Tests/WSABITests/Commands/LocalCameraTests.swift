import CCamera
import FoundationEssentials
import Glibc
import PluginAPI
import PluginServer
import PluginTesting
import PluginText
import Synchronization
import TestSupport
import Testing

@testable import WSABI
@testable import WSABISimulator

/// The cameras of this machine in use, with a simulated device.
@Suite(.timeLimit(.minutes(2)))
struct LocalCameraTests {
  /// A machine with a camera, and a port that is free for it.
  private struct Machine {
    let camera = PretendedCamera { $0.name = "Integrated Camera" }
    let folder: TemporaryFolder
    let port: Int

    init() async throws {
      folder = try TemporaryFolder()
      // Below those that servers of other tests get.
      port = try await Self.freePort()
    }

    /// Returns a truly random port, without a seed: concurrent tests of cameras must not take the same one, and the
    /// tests do not depend on its number.
    private static func freePort() async throws -> Int {
      while true {
        var serving = HTTPServer.Configuration()
        serving.port = Int.random(in: 20_000..<30_000)
        guard let server = try? HTTPServer(serving, { _ in ServerResponse(404) }) else { continue }
        await server.stop(deadlineInSeconds: 0)
        return serving.port
      }
    }

    /// Returns a process of the user.
    func process(isOffline: Bool = false) async throws -> TestPlugin {
      let plugin = try await TestPlugin(
        WSABIPlugin(cameras: LocalCameras(camera.system)), isOffline: isOffline, home: folder.path.path)
      try plugin.context.set(WSABISettings.cameraPort.parameter.name, to: .integer(port))
      return plugin
    }
  }

  /// A flag that is set once an event arrives.
  private final class Flag: Sendable {
    let isSet = Mutex(false)
  }

  /// Returns the address of the camera.
  private func address(_ plugin: TestPlugin) async throws -> String {
    let line = try #require(try await plugin.run(line: "camera --list").values.first?.text)
    #expect(line.hasSuffix(" /dev/video0 Integrated Camera"))
    return String(line.prefix { $0 != " " })
  }

  @Test func `an item with a camera captures without a separate server`() async throws {
    let machine = try await Machine()
    let plugin = try await machine.process()
    let address = try await address(plugin)
    #expect(machine.camera.log.begins == 0)
    _ = try await plugin.run(line: "store init --new-key-file \(machine.folder.path.path)/key --user anna")
    _ = try await plugin.run(line: "person add --first-name Ada")
    _ = try await plugin.run(line: "item add 1 --submodality Face2d --sensor \(address)")
    #expect(try await plugin.run(line: "capture 1").value["items"].list?.first?["outcome"] == "stored")
    let sum = try await plugin.run(line: "item list 1").value.list?.first?["capture"]["sha256"].text
    #expect(sum == SHA256.hexadecimal(of: PretendedCamera.jpeg))
    // Another process sends its requests to the one that serves.
    let other = try await machine.process()
    #expect(try await self.address(other) == address)
    #expect(try await other.run(line: "sensor check \(address)").value["reachable"] == true)
  }

  @Test func `a setup offers local cameras on request, and known ones once`() async throws {
    let machine = try await Machine()
    // No network is queried: cameras are known without one.
    let plugin = try await machine.process(isOffline: true)
    let setup = "sensor setup --person 1 --submodality Face2d"
    _ = try await plugin.run(line: "store init --new-key-file \(machine.folder.path.path)/key --user anna")
    _ = try await plugin.run(line: "person add --first-name Ada")
    machine.camera.change { $0.paths = [] }
    plugin.answers.say("f", "camera.local:8080", "typed")
    let typed = try await plugin.run(line: setup)
    #expect(typed.value["sensor"] == "typed")
    #expect(typed.diagnostics.contains { $0.code == "wsabi.discovery-offline" })
    machine.camera.change { $0.paths = ["/dev/video0"] }
    plugin.answers.say("f", "2")
    #expect(try await plugin.run(line: setup).value["sensor"] == "Integrated Camera")
    plugin.answers.say("1")
    #expect(try await plugin.run(line: "\(setup) --discover").value["sensor"] == "Integrated Camera")
    let titles = plugin.answers.questions.filter { $0.title.hasPrefix("Sensor") }.map(\.title)
    let offers = titles.map { $0.ranges(of: "Integrated Camera").count }
    #expect(offers == [0, 0, 0, 1, 1])
    #expect(titles.map { $0.contains("f to search for sensors") } == [true, false, true, false, false])
    // An item keeps its sensor, unless another one is requested.
    let before = plugin.answers.questions.count
    _ = try await plugin.run(line: "sensor setup --item 1")
    #expect(plugin.answers.questions.count == before)
    // Its own sensor is the one set last.
    plugin.answers.say("2")
    #expect(try await plugin.run(line: "sensor setup --item 1 --discover").value["sensor"] == "Integrated Camera")
  }

  @Test func `an unplugged camera is unreachable, and reachable again when plugged in`() async throws {
    let machine = try await Machine()
    let plugin = try await machine.process()
    let address = try await address(plugin)
    machine.camera.change { $0.paths = [] }
    #expect(try await plugin.run(line: "sensor check \(address)").value["reachable"] == false)
    let none = await plugin.report("camera", ["list": true])
    #expect(none?.code == "wsabi.camera-none")
    machine.camera.change { $0.paths = ["/dev/video0"] }
    #expect(try await plugin.run(line: "sensor check \(address)").value["reachable"] == true)
  }

  @Test func `a camera plugged in later captures, also after an earlier failure`() async throws {
    let machine = try await Machine()
    let plugin = try await machine.process()
    let address = try await address(plugin)
    _ = try await plugin.run(line: "store init --new-key-file \(machine.folder.path.path)/key --user anna")
    _ = try await plugin.run(line: "person add --first-name Ada")
    _ = try await plugin.run(line: "item add 1 --submodality Face2d --sensor \(address)")
    machine.camera.change { $0.paths = [] }
    let missing = await plugin.report("capture", ["item": 1])
    #expect(missing?.message.contains("camera '/dev/video0' not found; plug it in") == true)
    machine.camera.change { $0.paths = ["/dev/video0"] }
    #expect(try await plugin.run(line: "capture 1").value["items"].list?.first?["outcome"] == "stored")
    // A camera added later is served at the same place.
    let second = address.dropLast("video0".count) + "video2"
    #expect(try await plugin.run(line: "sensor check \(second)").value["reachable"] == false)
    machine.camera.change { $0.paths = ["/dev/video0", "/dev/video2"] }
    #expect(try await plugin.run(line: "sensor check \(second)").value["reachable"] == true)
    // Also for another process, whose requests go to the one that serves.
    let other = try await machine.process()
    machine.camera.change { $0.paths.insert("/dev/video3") }
    let third = address.dropLast("video0".count) + "video3"
    #expect(try await other.run(line: "sensor check \(third)").value["reachable"] == true)
  }

  @Test func `a port used by another program is reported, and no camera is opened`() async throws {
    let machine = try await Machine()
    let plugin = try await machine.process()
    let address = try await address(plugin)
    var serving = HTTPServer.Configuration()
    serving.port = machine.port
    let foreign = try HTTPServer(serving) { _ in ServerResponse(404) }
    let looks = machine.camera.log.openCount
    for _ in 0..<3 {
      let check = try await plugin.run(line: "sensor check \(address)").value
      #expect(check["reachable"] == false)
      let problem = check["problem"].text ?? ""
      #expect(problem.contains("port \(machine.port) of '127.0.0.1' is in use by another program"), "\(problem)")
      #expect(problem.contains("'camera-port'"))
    }
    #expect(machine.camera.log.openCount == looks)
    await foreign.stop(deadlineInSeconds: 0)
    #expect(try await plugin.run(line: "sensor check \(address)").value["reachable"] == true)
    // A camera that is served is not searched for again.
    let served = machine.camera.log.openCount
    #expect(try await plugin.run(line: "sensor check \(address)").value["reachable"] == true)
    #expect(machine.camera.log.openCount == served)
  }

  @Test func `the command serves cameras until it is interrupted`() async throws {
    let machine = try await Machine()
    let plugin = try await machine.process()
    let address = try await address(plugin)
    let serving = Task { try await plugin.run(line: "camera") }
    // A process that cannot serve ends, and is not waited for.
    let ended = Flag()
    Task {
      _ = await serving.result
      ended.isSet.withLock { $0 = true }
    }
    while await SensorProbe(address).ask("GET", "/info").status != "success", !ended.isSet.withLock({ $0 }) {
      await Task.yield()
    }
    serving.cancel()
    await #expect(throws: CancellationError.self) { try await serving.value }
    #expect(await SensorProbe(address).ask("GET", "/info").http == 0)
  }
}
