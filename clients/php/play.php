<?php

/** Plays ../behaviour.yaml: reads a call of the kit per line of JSON, and answers with its result or error. */

declare(strict_types=1);

require __DIR__ . '/Standin.php';

/** Returns a name such as wait_for_code as waitForCode. */
$camel = fn (string $name): string => lcfirst(str_replace('_', '', ucwords($name, '_')));
$account = null;

while (($line = fgets(STDIN)) !== false) {
    ['call' => $name, 'with' => $given] = json_decode($line, true);
    try {
        if ($name === 'account') {
            $account = (new Standin\Sandbox())->account(...$given);
            $result = ['key' => $account->key, 'base_url' => $account->baseUrl];
        } elseif ($name === 'verify_webhook') {
            $result = Standin\verifyWebhook(...$given);
        } elseif ($name === 'add_rule') {
            $result = $account->addRule($given);
        } elseif ($name === 'expect_request') {
            $result = $account->expectRequest($given['operation'], array_diff_key($given, ['operation' => 0]));
        } else {
            $result = $account->{$camel($name)}(...$given);
        }
        $answer = ['result' => $result];
    } catch (Standin\StandinError $error) {
        $answer = ['error' => [
            'code' => $error->errorCode,
            'status' => $error->status,
            'param' => $error->param,
            'message' => $error->getMessage(),
        ]];
    } catch (Standin\ExpectationFailed | Standin\ScenarioFailed $error) {
        $code = (new ReflectionClass($error))->getShortName();
        $answer = ['error' => ['code' => $code, 'message' => $error->getMessage()]];
    }
    echo json_encode($answer), "\n";
}
