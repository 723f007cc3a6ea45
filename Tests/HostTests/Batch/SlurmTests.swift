import PluginAPI
import Testing

@testable import Host

/// The outputs of Slurm's programs, recorded from Slurm 22.05.8 on Debian 12 with `Scripts/slurm-node`.
struct SlurmTests {
  @Test func `lines of squeue have an array index, a state, a reason and a note`() {
    // An array whose third task ended with status 5, and a job that waits for it.
    let tasks = Slurm.tasks(
      in: """
        1|2|FAILED|NonZeroExitCode|1
        1|5|PENDING|Resources|1
        2|N/A|PENDING|Dependency|2
        1|4|RUNNING|None|1
        1|3|COMPLETED|None|1
        50|1|PENDING|BeginTime|(null)

        """)
    #expect(
      tasks == [
        EngineTask(job: "1", index: 2, state: "FAILED", reason: "NonZeroExitCode", note: 1, isLive: false),
        EngineTask(job: "1", index: 5, state: "PENDING", reason: "Resources", note: 1, isLive: true),
        EngineTask(job: "2", index: nil, state: "PENDING", reason: "Dependency", note: 2, isLive: true),
        EngineTask(job: "1", index: 4, state: "RUNNING", reason: nil, note: 1, isLive: true),
        EngineTask(job: "1", index: 3, state: "COMPLETED", reason: nil, note: 1, isLive: false),
        EngineTask(job: "50", index: 1, state: "PENDING", reason: "BeginTime", note: nil, isLive: true),
      ])
    #expect(Slurm.tasks(in: "squeue: error: a message\n").isEmpty)
  }

  @Test func `ended states of sacct exclude running and pending tasks`() {
    let states = Slurm.endedStates(
      in: """
        1_0|COMPLETED|0:0
        1_1|COMPLETED|0:0
        1_2|FAILED|5:0
        1_3|FAILED|0:9
        1_4|RUNNING|0:0
        1_5|RUNNING|0:0
        1_[6-7%5]|PENDING|0:0

        """)
    #expect(states == ["COMPLETED", "COMPLETED", "FAILED", "FAILED"])
    // The manual page of sacct: the user who canceled the task follows.
    #expect(Slurm.endedStates(in: "3|CANCELLED by 1000|0:0\n") == ["CANCELLED"])
  }

  @Test func `the array limit is read from the configuration`() {
    let text = """
      Configuration data as of 2026-11-28T00:45:12
      MailProg                = /usr/bin/mail
      MaxArraySize            = 1001
      MaxDBDMsgs              = 20016
      MaxJobCount             = 10000
      """
    #expect(Slurm.arrayLimit(in: text) == 1001)
    #expect(Slurm.arrayLimit(in: "MaxJobCount             = 10000") == nil)
  }

  @Test func `a job's identifier is the last number in the output of sbatch`() {
    #expect(Slurm.identifier(in: "17\n") == "17")
    #expect(Slurm.identifier(in: "sbatch: lua: 3 jobs\n18;cluster\n") == "18")
    #expect(Slurm.identifier(in: "") == nil)
  }

  @Test func `additional options override defaults, but not options that the run depends on`() {
    var options = JobOptions()
    (options.partition, options.time, options.memory, options.mostRunning) = ("long", "1:00:00", "2G", 7)
    options.further = ["--no-requeue", "--array=1"]
    let words = Slurm.arguments(
      BatchJob(
        run: "abc", note: 3, script: "/run/jobs/3.sh", folder: "/run/jobs", taskCount: 20, predecessors: ["5", "6"],
        options: options))
    #expect(
      words == [
        "--parsable", "--requeue", "--open-mode=append", "--signal=B:TERM@60", "--cpus-per-task=1", "--partition=long",
        "--time=1:00:00", "--mem=2G", "--no-requeue", "--array=1", "--job-name=abc", "--comment=3",
        "--chdir=/run/jobs", "--array=0-19%7", "--output=3.%a.txt", "--dependency=afterany:5:6", "/run/jobs/3.sh",
      ])
  }
}
