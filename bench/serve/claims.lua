-- For wrk: each request has the next claim of the file that the environment names.
local file = io.open(os.getenv("CLAIMS"), "r")
local bodies = {}
for line in file:lines() do bodies[#bodies + 1] = line end
file:close()
local next = 0

wrk.method = "POST"
wrk.headers["Content-Type"] = "application/json"

function request()
  next = next % #bodies + 1
  return wrk.format(nil, "/v1/verify", nil, bodies[next])
end

-- Answers by status, of all threads together.
local threads = {}
function setup(thread) threads[#threads + 1] = thread end
function init() answered, overloaded, others = 0, 0, 0 end
function response(status)
  if status == 200 then answered = answered + 1
  elseif status == 429 then overloaded = overloaded + 1
  else others = others + 1 end
end

function done(summary, latency)
  local counts = { answered = 0, overloaded = 0, others = 0 }
  for _, thread in ipairs(threads) do
    for name in pairs(counts) do counts[name] = counts[name] + thread:get(name) end
  end
  local errors = summary.errors
  io.write(string.format(
    "answered %d, 429 %d, other statuses %d; connect, read, write errors %d, %d, %d; timeouts %d\n",
    counts.answered, counts.overloaded, counts.others, errors.connect, errors.read, errors.write, errors.timeout))
  io.write(string.format("claims/s %.3f; latency ms: p50 %.0f, p90 %.0f, p99 %.0f, greatest %.0f\n",
    counts.answered / (summary.duration / 1e6), latency:percentile(50) / 1e3, latency:percentile(90) / 1e3,
    latency:percentile(99) / 1e3, latency.max / 1e3))
end
