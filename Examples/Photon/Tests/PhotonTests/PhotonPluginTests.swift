import PluginAPI
import PluginTesting
import Testing

@testable import Photon

struct PhotonPluginTests {
  @Test func `the plugin keeps the rules of the contract`() async {
    #expect(await PluginConformance.check(PhotonPlugin(), runsExamples: true) == [])
  }

  @Test func `light of 1239.84 nm has photons of one electronvolt`() async throws {
    let photon = try await TestPlugin(PhotonPlugin())
    let energy = try await photon.run(line: "energy 1239.84198").value["energy"].number ?? 0
    // The wavelength has nine digits.
    #expect(abs(energy - 1) < 1e-8)
  }

  @Test func `a wavelength must be above zero`() async throws {
    let photon = try await TestPlugin(PhotonPlugin())
    #expect(await photon.report("energy", ["wavelength": 0])?.kind == .usage)
  }
}
