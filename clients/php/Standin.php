<?php

/**
 * Controls an account of a running Standin sandbox. Needs PHP 8.1 or newer and nothing else.
 *
 *     $account = (new Standin\Sandbox())->account();
 *     $shop = new Shop($account->baseUrl, $account->key);
 *     $shop->sendCode('08031234567');
 *     $shop->confirm($account->waitForCode('08031234567'));
 *
 * With PHPUnit, `use Standin\HasAccount;` in a test case gives each test an account of its own in `$this->account`.
 */

declare(strict_types=1);

namespace Standin;

/** Thrown when the sandbox refuses a call. */
class StandinError extends \RuntimeException
{
    /**
     * @param int $status HTTP status, 0 if nothing answered
     * @param string $errorCode such as `validation_error`
     * @param ?string $param field that was wrong
     */
    public function __construct(
        public readonly int $status,
        public readonly string $errorCode,
        string $message,
        public readonly ?string $param = null,
    ) {
        parent::__construct($errorCode === '' ? $message : "$errorCode: $message");
    }
}

/** Thrown when an expected request was not received. The message names how the nearest requests differ. */
class ExpectationFailed extends \Exception
{
}

/** Thrown when a step of a scenario failed. The message names the step and its problems. */
class ScenarioFailed extends \Exception
{
}

/** A running sandbox: by default the one that `standin exec` starts, at STANDIN_URL. */
final class Sandbox
{
    public readonly string $url;
    public readonly ?string $adminToken;

    public function __construct(?string $url = null, ?string $adminToken = null)
    {
        $url ??= getenv('STANDIN_URL') ?: null;
        if ($url === null) {
            throw new StandinError(0, '', 'STANDIN_URL is not set; run the tests with: standin exec -- phpunit');
        }
        $this->url = rtrim($url, '/');
        $this->adminToken = $adminToken ?? (getenv('STANDIN_ADMIN_TOKEN') ?: null);
    }

    /** Returns the account of an API key. Default: a new test key, whose account nobody else uses. */
    public function account(?string $key = null): Account
    {
        return new Account($this, $key ?? 'svc_test_' . bin2hex(random_bytes(12)));
    }
}

final class Account
{
    public readonly string $baseUrl;

    public function __construct(private readonly Sandbox $sandbox, public readonly string $key)
    {
        $this->baseUrl = $sandbox->url;
    }

    /** Returns the messages that people would have received, newest first. */
    public function messages(?string $to = null): array
    {
        return $this->control('GET', '/inbox', query: ['to' => $to])['items'];
    }

    /** Waits for the next message that no earlier wait has returned. Throws StandinError `wait_timeout`. */
    public function waitForMessage(?string $to = null, string $timeout = '5s'): array
    {
        return $this->control('GET', '/inbox/wait', query: ['to' => $to, 'timeout' => $timeout]);
    }

    /** Waits for the next message with a one-time code and returns the code. */
    public function waitForCode(?string $to = null, string $timeout = '5s'): string
    {
        do {
            $codes = $this->waitForMessage($to, $timeout)['codes'];
        } while ($codes === []);
        return $codes[0];
    }

    /** Returns the account's time, in ISO 8601. */
    public function now(): string
    {
        return $this->control('GET', '/clock')['now'];
    }

    /** Advances the clock, such as by `2m`. Returns once everything due on the way has run and been delivered. */
    public function advance(string $by): array
    {
        return $this->control('POST', '/clock/advance', ['by' => $by]);
    }

    /** Freezes the clock at an ISO 8601 time, by default now. */
    public function freeze(?string $at = null): array
    {
        return $this->control('POST', '/clock/freeze', $at === null ? [] : ['at' => $at]);
    }

    /** Lets the clock run again. */
    public function resume(): array
    {
        return $this->control('POST', '/clock/resume');
    }

    /** Adds a rule, such as `['on' => 'createPayout', 'outcome' => 'rejected', 'times' => 1]`. */
    public function addRule(array $rule): array
    {
        return $this->control('POST', '/rules', $rule);
    }

    /** Returns the rules of the account, newest first. */
    public function rules(): array
    {
        return $this->control('GET', '/rules')['items'];
    }

    /** Loads a built-in scenario by its name, or a scenario given as an array, such as `['given' => [...]]`. */
    public function load(string|array $scenario): array
    {
        return is_string($scenario)
            ? $this->control('POST', '/scenarios/' . rawurlencode($scenario) . '/load')
            : $this->control('POST', '/scenarios', $scenario + ['name' => "the test's own"]);
    }

    /** Runs a built-in scenario on a new account and returns its steps. Throws ScenarioFailed. */
    public function runScenario(string $name): array
    {
        $text = $this->send('POST', '/scenarios/' . rawurlencode($name) . '/run');
        $steps = [];
        foreach (explode("\n", trim($text)) as $json) {
            $line = json_decode($json, true, flags: JSON_THROW_ON_ERROR);
            if (isset($line['error'])) {
                throw new ScenarioFailed("$name: {$line['error']}");
            }
            if (!isset($line['step'])) {
                continue;
            }
            if (!$line['passed']) {
                $problems = implode('; ', $line['problems']);
                throw new ScenarioFailed("$name, step {$line['step']} ({$line['title']}): $problems");
            }
            $steps[] = $line;
        }
        return $steps;
    }

    /** Empties the account. */
    public function reset(): void
    {
        $this->control('POST', '/reset');
    }

    /**
     * Expects a request with these parts: path, query, headers, body, status, times. Throws ExpectationFailed.
     */
    public function expectRequest(string $operation, array $parts = []): array
    {
        $found = $this->control('POST', '/requests/expect', ['operation' => $operation] + $parts);
        if (!$found['matched']) {
            throw new ExpectationFailed(self::formatExpectation($operation, $found));
        }
        return $found;
    }

    /** Returns the records of a state machine such as `payout`, newest first. */
    public function records(string $machine): array
    {
        return $this->control('GET', '/machines/' . rawurlencode($machine) . '/records')['items'];
    }

    /** Returns a record with its state, its legal moves and its history. */
    public function record(string $id): array
    {
        return $this->control('GET', '/records/' . rawurlencode($id));
    }

    /** Makes a move of a record by hand, such as `reject`. */
    public function move(string $id, string $move, array $given = []): array
    {
        return $this->control('POST', '/records/' . rawurlencode($id) . '/moves/' . rawurlencode($move), $given);
    }

    /** Sends an event to the account's endpoints, with example data unless data is given. */
    public function trigger(string $event, ?array $data = null): array
    {
        return $this->control('POST', '/events', ['event' => $event] + ($data === null ? [] : ['data' => $data]));
    }

    /** Returns the events of the account, newest first. */
    public function events(?string $event = null): array
    {
        return $this->control('GET', '/events', query: ['event' => $event])['items'];
    }

    /** Waits for the next event that no earlier wait has returned. Throws StandinError `wait_timeout`. */
    public function waitForEvent(?string $event = null, string $timeout = '5s'): array
    {
        return $this->control('GET', '/events/wait', query: ['event' => $event, 'timeout' => $timeout]);
    }

    /** Returns the webhook deliveries with their attempts, newest first. */
    public function deliveries(?string $event = null): array
    {
        return $this->control('GET', '/deliveries', query: ['event' => $event])['items'];
    }

    /** Returns what the client did that would hurt it with the real service. */
    public function conduct(): array
    {
        return $this->control('GET', '/conduct', query: ['scope' => 'account'])['findings'];
    }

    /** Returns what happened on the account last, one line each, oldest first. */
    public function lastActivities(int $limit = 10): string
    {
        $items = $this->control('GET', '/activity', query: ['limit' => (string) $limit])['items'];
        $lines = array_map(fn (array $item) => substr($item['at'], 11, 8) . ' ' . $item['title'], $items);
        return implode("\n", array_reverse($lines));
    }

    /** Calls the control API below /_sandbox and returns the JSON of the reply. Throws StandinError. */
    public function control(string $method, string $path, ?array $body = null, array $query = []): array
    {
        return json_decode($this->send($method, $path, $body, $query), true, flags: JSON_THROW_ON_ERROR);
    }

    private function send(string $method, string $path, ?array $body = null, array $query = []): string
    {
        $given = http_build_query(array_filter($query, fn ($value) => $value !== null));
        $headers = ["X-Service-Key: $this->key", 'Content-Type: application/json'];
        if ($this->sandbox->adminToken !== null) {
            $headers[] = "Authorization: Bearer {$this->sandbox->adminToken}";
        }
        $context = stream_context_create(['http' => [
            'method' => $method,
            'header' => $headers,
            'content' => $body === null ? '' : json_encode(self::toObjects($body), JSON_THROW_ON_ERROR),
            'ignore_errors' => true,
            'timeout' => 70,
        ]]);
        $url = "$this->baseUrl/_sandbox$path" . ($given === '' ? '' : "?$given");
        $text = @file_get_contents($url, false, $context);
        if ($text === false) {
            throw new StandinError(0, '', "no sandbox answers at $this->baseUrl");
        }
        $status = (int) explode(' ', $http_response_header[0])[1];
        if ($status >= 400) {
            throw self::errorOf($status, $text);
        }
        return $text;
    }

    /** Fields of the control API that are lists, which may be empty. */
    private const LISTS = ['events', 'rules', 'steps', 'timeline'];

    /** Turns empty arrays, which PHP would encode as lists, into objects. The data of an event stays as it is given. */
    private static function toObjects(array $given): array|\stdClass
    {
        foreach ($given as $name => $value) {
            if (!is_array($value) || ($value === [] && in_array($name, self::LISTS, true))) {
                continue;
            }
            $given[$name] = $name === 'data' && $value !== [] ? $value : self::toObjects($value);
        }
        return $given === [] ? new \stdClass() : $given;
    }

    private static function errorOf(int $status, string $text): StandinError
    {
        $error = json_decode($text, true)['error'] ?? null;
        return is_array($error)
            ? new StandinError($status, $error['code'], $error['message'], $error['param'] ?? null)
            : new StandinError($status, '', "the sandbox answered with $status: " . substr($text, 0, 200));
    }

    private static function formatExpectation(string $operation, array $found): string
    {
        $lines = ["$operation was received {$found['count']} times, expected {$found['expected']}"];
        foreach ($found['nearest'] as $near) {
            $lines[] = "  {$near['request']['method']} {$near['request']['path']}";
            foreach ($near['differences'] as $difference) {
                $actual = array_key_exists('actual', $difference) ? json_encode($difference['actual']) : 'nothing';
                $lines[] = "    {$difference['at']}: expected " . json_encode($difference['expected']) . ", got $actual";
            }
        }
        return implode("\n", $lines);
    }
}

/** Returns whether X-Service-Signature, null if the request has none, is right for the raw body of a webhook. */
function verifyWebhook(string $body, ?string $signature, string $secret): bool
{
    return $signature !== null && hash_equals(hash_hmac('sha256', $body, $secret), $signature);
}

/** Gives each test of a PHPUnit test case an account of its own. */
trait HasAccount
{
    protected Account $account;

    /** @before */
    #[\PHPUnit\Framework\Attributes\Before]
    protected function openAccount(): void
    {
        $this->account = (new Sandbox())->account();
    }
}
