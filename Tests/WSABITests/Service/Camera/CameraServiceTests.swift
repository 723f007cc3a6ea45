import CCamera
import FoundationEssentials
import Glibc
import PluginAPI
import PluginTesting
import PluginText
import TestSupport
import Testing

@testable import WSABI
@testable import WSABISimulator

/// A camera as a service of WS-BD, which the client treats like any sensor.
@Suite(.timeLimit(.minutes(2)))
struct CameraServiceTests {
  /// Returns a place with a secret word and a free port.
  private static func place() throws -> (CameraPlace, TemporaryFolder) {
    let folder = try TemporaryFolder()
    var place = try CameraPlace(folder: folder.path.path, port: 8817)
    place.port = 0
    return (place, folder)
  }

  private static func service(_ pretended: PretendedCamera) throws -> CameraService {
    let place = try place().0
    return try CameraService(LocalCamera.all(pretended.system), at: place, pretended.system)
  }

  @Test func `a camera captures a face like any sensor, and its bytes are stored unchanged`() async throws {
    let camera = PretendedCamera()
    let service = try Self.service(camera)
    let user = try await StationUser.enrolling(sensors: 1)
    try await user.run("person add --first-name Ada")
    let address = try #require(service.addresses.first)
    let check = try await user.value("sensor check \(address) --submodality Face2d")
    #expect(check["supported"] == true && check["modality"] == "Face")
    try await user.run("sensor setup --person 1 --submodality Face2d --sensor \(address) --sensor-name camera")
    let run = try await user.value("capture 1")
    #expect(run["items"].list?.first?["outcome"] == "stored")
    let capture = try await user.value("item list 1").list?.first?["capture"] ?? .null
    #expect(capture["sha256"].text == SHA256.hexadecimal(of: PretendedCamera.jpeg))
    #expect(capture["sniffedType"] == "image/jpeg")
    #expect(try await user.run("preview \(address) --frames 2").values.count == 2)
    await user.stop()
    await service.stop()
    while camera.log.closeCount < camera.log.openCount { await Task.yield() }
  }

  @Test func `an unplugged camera fails the capture, and works again when plugged in`() async throws {
    let camera = PretendedCamera()
    let service = try Self.service(camera)
    let user = try await StationUser.enrolling(sensors: 1)
    try await user.run("person add --first-name Ada")
    let address = try #require(service.addresses.first)
    try await user.run("item add 1 --submodality Face2d --sensor \(address)")
    camera.change { $0.openError = ENODEV }
    #expect(await user.report("capture 1") != nil)
    #expect(try await user.value("item list 1").list?.first?["capture"].isNull == true)
    camera.change { $0.openError = 0 }
    #expect(try await user.value("capture 1")["items"].list?.first?["outcome"] == "stored")
    await user.stop()
    await service.stop()
  }

  @Test func `a request without the secret path finds nothing`() async throws {
    let camera = PretendedCamera()
    let service = try Self.service(camera)
    let address = try #require(service.addresses.first)
    #expect(await SensorProbe(address).ask("GET", "/info").status == "success")
    let parts = address.split(separator: "/").map(String.init)
    let other = String(repeating: "0", count: 32)
    for path in ["", "/\(other)/video0", "/\(parts[2].dropLast())/video0", "/\(parts[2])/video1"] {
      #expect(await SensorProbe("http://\(parts[1])\(path)").ask("GET", "/info").http == 404)
    }
    #expect(camera.log.begins == 0)
    await service.stop()
  }

  @Test func `a user's secret path is permanent, and only the user can read it`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path.path + "/data"
    let place = try CameraPlace(folder: path, port: 8817)
    #expect(try CameraPlace(folder: path, port: 8817) == place)
    #expect(place.word.utf8.count == 32 && place.base == "http://127.0.0.1:8817/\(place.word)")
    var about = stat()
    #expect(stat(path + "/camera-place", &about) == 0 && about.st_mode & 0o777 == 0o600)
    let other = try TemporaryFolder()
    #expect(try CameraPlace(folder: other.path.path, port: 8817).word != place.word)
  }

  @Test func `a port in use is reported`() throws {
    let service = try Self.service(PretendedCamera())
    let address = try SensorAddress(parsing: try #require(service.addresses.first))
    var place = try Self.place().0
    place.port = address.port
    #expect(throws: ErrorReport.self) { try CameraService([], at: place) }
  }
}
