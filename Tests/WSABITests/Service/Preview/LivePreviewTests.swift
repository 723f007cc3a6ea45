import PluginAPI
import Synchronization
import Testing

@testable import WSABI
@testable import WSABISimulator

/// The live preview of simulated sensors by the real client.
@Suite(.timeLimit(.minutes(2)))
struct LivePreviewTests {
  private func simulator(_ configure: (inout SimulatorConfiguration) -> Void = { _ in }) throws -> SensorSimulator {
    var configuration = SimulatorConfiguration()
    configuration.modalities = [.finger]
    configuration.framesPerSecond = 100
    configure(&configuration)
    return try SensorSimulator(configuration)
  }

  private func preview(_ simulator: SensorSimulator) throws -> LivePreview {
    let address = try SensorAddress(parsing: simulator.addresses[0])
    let connection = SensorAccess(isOffline: false).connection(address)
    return LivePreview(
      link: SensorLink(connection, FaultRun.clock, LinkTimes(), MemoryJournal()), connection: connection)
  }

  /// Follows a preview until a number of pictures arrived.
  private func ending(
    _ preview: LivePreview, after count: Int
  ) async -> (Result<LivePreview.Ending, SensorFault>, [[UInt8]]) {
    let (frames, feed) = AsyncStream.makeStream(of: [UInt8].self)
    let following = Task {
      defer { feed.finish() }
      do throws(SensorFault) {
        return Result<LivePreview.Ending, SensorFault>.success(try await preview.follow { feed.yield($0.bytes) })
      } catch {
        return .failure(error)
      }
    }
    var all: [[UInt8]] = []
    for await frame in frames {
      all.append(frame)
      if all.count == count { following.cancel() }
    }
    return (await following.value, all)
  }

  @Test(arguments: [SimulatorConfiguration.Style.wcf, .jaxb], ProtocolNamespace.allCases)
  func `an open preview needs neither session nor lock`(
    _ style: SimulatorConfiguration.Style, _ namespace: ProtocolNamespace
  ) async throws {
    let simulator = try simulator { ($0.style, $0.namespace) = (style, namespace.simulated) }
    let (_, frames) = await ending(try preview(simulator), after: 5)
    #expect(frames.count >= 5 && Set(frames).count > 1)
    #expect(!simulator.calls.contains { $0.operation == .register })
    await simulator.stop()
  }

  @Test(arguments: [SimulatorConfiguration.Style.wcf, .jaxb], ProtocolNamespace.allCases)
  func `a locked preview takes the lock and releases it afterwards`(
    _ style: SimulatorConfiguration.Style, _ namespace: ProtocolNamespace
  ) async throws {
    let simulator = try simulator { ($0.style, $0.namespace, $0.hasOpenPreview) = (style, namespace.simulated, false) }
    let preview = try preview(simulator)
    let (result, frames) = await ending(preview, after: 5)
    #expect(frames.count >= 5)
    guard case .failure(let fault) = result, fault.kind == .cancelled else {
      Issue.record("\(result)")
      return
    }
    #expect(simulator.sensor(1).snapshot.lockHolder == nil)
    await preview.link.leave()
    #expect(simulator.sensor(1).snapshot.sessions.isEmpty)
    await simulator.stop()
  }

  @Test func `a preview never steals the lock`() async throws {
    let simulator = try simulator { $0.hasOpenPreview = false }
    let other = await SensorProbe(simulator.addresses[0]).ready()
    let (result, frames) = await ending(try preview(simulator), after: 1)
    #expect(result == .success(.refused(.lockHeldByAnother)) && frames.isEmpty)
    #expect(simulator.sensor(1).snapshot.lockHolder == other.lowercased())
    #expect(!simulator.calls.contains { $0.operation == .stealLock })
    await simulator.stop()
  }

  @Test func `a session that already holds the lock is used and kept`() async throws {
    let simulator = try simulator { $0.hasOpenPreview = false }
    let session = await SensorProbe(simulator.addresses[0]).ready()
    var preview = try preview(simulator)
    preview.session = SensorUUID(session)
    let (_, frames) = await ending(preview, after: 3)
    #expect(frames.count >= 3)
    #expect(simulator.sensor(1).snapshot.lockHolder == session.lowercased())
    await simulator.stop()
  }

  @Test func `a stolen lock ends the stream, and stays with its new holder`() async throws {
    let simulator = try simulator { ($0.hasOpenPreview, $0.stealPreventionInMilliseconds) = (false, 0) }
    let probe = SensorProbe(simulator.addresses[0])
    let thief = await probe.register()
    let preview = try preview(simulator)
    let following = Task { try await preview.follow { _ in } }
    await simulator.sensor(1).reaches { $0.frameCount > 2 }
    _ = await probe.ask("PUT", "/lock/\(thief)")
    guard case .ended(let pictures) = try await following.value else {
      Issue.record("it did not end by itself")
      return
    }
    #expect(pictures > 2)
    #expect(simulator.sensor(1).snapshot.lockHolder == thief.lowercased())
    await simulator.stop()
  }

  @Test func `two viewers share the lock, which is released after the last`() async throws {
    let simulator = try simulator { $0.hasOpenPreview = false }
    let preview = try preview(simulator)
    let first = Task { try await preview.follow { _ in } }
    await simulator.sensor(1).reaches { $0.frameCount > 2 }
    let (_, frames) = await ending(preview, after: 3)
    #expect(frames.count >= 3)
    let count = simulator.sensor(1).snapshot.frameCount
    await simulator.sensor(1).reaches { $0.frameCount > count + 3 }
    first.cancel()
    _ = await first.result
    #expect(simulator.sensor(1).snapshot.lockHolder == nil)
    await simulator.stop()
  }

  @Test func `a sensor without a preview is reported as such`() async throws {
    let simulator = try simulator { $0.hasPreview = false }
    let (result, frames) = await ending(try preview(simulator), after: 1)
    #expect(result == .success(.missing) && frames.isEmpty)
    await simulator.stop()
  }
}
