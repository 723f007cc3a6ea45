import PluginNet
import Synchronization
import Testing

@testable import WSABI

@Suite struct PieceChannelTests {
  @Test func `a full channel closes its gate, and reading opens it`() async {
    let channel = PieceChannel()
    let piece = [UInt8](repeating: 7, count: 300_000)
    for _ in 0..<3 { piece.withUnsafeBytes { channel.put($0) } }
    #expect(!channel.gate.isClosed)
    piece.withUnsafeBytes { channel.put($0) }
    #expect(channel.gate.isClosed)
    #expect(await channel.next()?.count == 1_200_000)
    #expect(!channel.gate.isClosed)
    channel.finish()
    #expect(await channel.next() == nil)
    #expect(await channel.next() == nil)
  }

  @Test(.timeLimit(.minutes(5))) func `a gate is never closed when the channel is empty`() async {
    let channel = PieceChannel()
    let piece = [UInt8](repeating: 7, count: 1 << 20)
    let count = 60
    // Every piece fills the channel, so that closing and opening meet in every order.
    let sender = Task.detached {
      for _ in 0..<count {
        while channel.gate.isClosed { await Task.yield() }
        piece.withUnsafeBytes { channel.put($0) }
      }
      channel.finish()
    }
    var taken = 0
    while let pieces = await channel.next() { taken += pieces.count }
    await sender.value
    #expect(taken == count << 20)
    #expect(!channel.gate.isClosed)
  }
}
